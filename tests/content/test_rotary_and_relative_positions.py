"""Every number that the card of rotary positions, its bank and its misconceptions print is recomputed with NumPy.

The texts are read as they stand: a number that is changed on one side only fails.
"""

import math

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

from tests.content.reading import MODULE, questions, rows_of_table, softmax

CONCEPT_ID = "rotary-and-relative-positions"
CONCEPT = MODULE / f"concepts/15-{CONCEPT_ID}"

QUERY, KEY = np.array([1.0, 0, 1, 0]), np.array([1.0, 1, 0, 1])


def turned(vector: NDArray[np.float64], place: float) -> NDArray[np.float64]:
    """Each pair of neighbours seen as one complex number, and so turned by multiplying."""
    width = len(vector)
    angles = place * 10_000.0 ** (-np.arange(0, width, 2) / width)
    pairs = (vector[0::2] + 1j * vector[1::2]) * np.exp(1j * angles)
    return np.stack([pairs.real, pairs.imag], axis=1).ravel()


def product(query_at: float, key_at: float) -> float:
    return float(turned(QUERY, query_at) @ turned(KEY, key_at))


def front() -> dict[str, list[dict[str, object]]]:
    return dict(yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1]))


def test_the_turned_vectors_of_the_example_are_right(card: str) -> None:
    def printed(vector: NDArray[np.float64]) -> str:
        return "(" + r",\;".join(f"{value:.4f}" for value in vector) + ")"

    assert r"R_2\,q&=" + printed(turned(QUERY, 2)) in card
    assert r"R_1\,k&=" + printed(turned(KEY, 1)) in card
    assert (
        f"the first pair makes a full turn every {2 * math.pi:.2f} tokens, the second every {200 * math.pi:.0f}" in card
    )


def test_the_table_of_products_is_right(card: str, misconceptions: str) -> None:
    for query_at, key_at, shown in rows_of_table(CONCEPT / "card.md", "query at"):
        assert f"{product(int(query_at), int(key_at)):.4f}" == shown.replace("−", "-")
    assert f"here {product(2, 1):.4f} and ${product(1, 2):.4f}$" in card
    assert f"gives {product(2, 1):.4f} at places 2 and 1, and again at 101 and 100" in misconceptions


def test_the_formula_of_the_card_is_this_turn() -> None:
    cosine, sine = math.cos(3 * 0.01), math.sin(3 * 0.01)
    matrix = np.array([[cosine, -sine], [sine, cosine]])
    vector = np.array([0.3, -1.2, 0.7, 2.0])

    assert np.allclose(matrix @ vector[2:], turned(vector, 3)[2:])


def test_a_turn_keeps_lengths_and_leaves_the_difference_alone(card: str, misconceptions: str) -> None:
    generator = np.random.default_rng(15)

    for _ in range(20):
        query, key = generator.standard_normal((2, 8))
        assert np.linalg.norm(turned(key, 77)) == pytest.approx(np.linalg.norm(key))
        assert turned(query, 512) @ turned(key, 509) == pytest.approx(turned(query, 12) @ turned(key, 9))
        assert turned(query, 12) @ turned(key, 9) == pytest.approx(query @ turned(key, -3))
    assert np.linalg.norm(turned(KEY, 5)) == pytest.approx(np.linalg.norm(KEY))
    assert f"has the length {np.linalg.norm(KEY):.4f} at position 0 and at position 5" in card
    assert f"has the length {np.linalg.norm(KEY):.4f} at position 0, at position 5 and at any other" in misconceptions


def test_layouts_differ_by_the_order_of_columns_alone() -> None:
    def turned_by_halves(vector: NDArray[np.float64], place: float) -> NDArray[np.float64]:
        half = len(vector) // 2
        angles = place * 10_000.0 ** (-np.arange(half) / half)
        first, second = vector[:half], vector[half:]
        cosines, sines = np.cos(angles), np.sin(angles)
        return np.concatenate([first * cosines - second * sines, first * sines + second * cosines])

    query, key = np.random.default_rng(4).standard_normal((2, 8))
    order = [0, 2, 4, 6, 1, 3, 5, 7]

    assert np.allclose(turned_by_halves(query[order], 9), turned(query, 9)[order])
    with_neighbours = turned(query, 9) @ turned(key, 4)
    assert turned_by_halves(query, 9) @ turned_by_halves(key, 4) != pytest.approx(with_neighbours)


def test_the_chart_shows_the_parts_of_three_pairs(card: str) -> None:
    chart = front()["charts"][0]
    offsets = np.array(chart["x"]["values"])  # type: ignore[index]

    for pair, line in enumerate(chart["lines"]):  # type: ignore[arg-type, var-annotated]
        assert np.allclose(line["values"], np.cos(offsets * 10_000.0 ** (-2 * pair / 8)), atol=5e-5)
    assert "about one third after twelve" in card
    assert math.cos(1.2) == pytest.approx(1 / 3, abs=0.05)


def test_the_example_of_penalties_is_right(card: str, misconceptions: str) -> None:
    places = np.arange(4)
    added = np.where(places > places[:, None], -np.inf, -0.5 * (places[:, None] - places))
    weights = softmax(1 + added)
    shown = front()["matrix_example"]["matrices"]  # type: ignore[call-overload]

    assert np.array_equal(np.array(shown[0]["values"], dtype=float), added)
    assert np.allclose(shown[1]["values"], weights, atol=5e-5)
    assert np.array_equal(1 + added[3], [-0.5, 0, 0.5, 1])
    printed = [f"{weight:.4f}" for weight in weights[3]]
    assert f"its weights are {printed[0]}, {printed[1]}, {printed[2]} and {printed[3]}" in card
    assert f"gives {printed[3]} to its own key and {printed[0]} to key 1" in card
    assert "a key 3 tokens back loses 1.5 from its score" in misconceptions


def test_the_angles_of_the_slowest_pair_are_right(card: str, bank: str, misconceptions: str) -> None:
    angle = 10_000.0 ** (-126 / 128)

    assert "about 54,400 tokens for a full turn" in card
    assert round(2 * math.pi / angle, -2) == 54_400
    degrees = [round(math.degrees(tokens * angle)) for tokens in (2048, 8192)]
    assert f"it goes through about {degrees[0]} degrees, and position 8,192 would bring it to {degrees[1]}" in card
    assert f"through about {degrees[0]} degrees in 2,048 tokens and through {degrees[1]} in 8,192" in misconceptions
    assert f"width 128 turns by about {degrees[0]} degrees" in bank


def test_the_keys_of_the_families_are_what_their_words_say() -> None:
    pair, penalty = (questions()[f"{CONCEPT_ID}/{slug}"].task for slug in ("one-turned-pair", "penalty-of-a-head"))

    for drawn in pair.grid():
        query, key = turned(np.array([1.0, 0]), drawn["m"]), turned(np.array([1.0, 0]), drawn["n"])
        assert pair.accepts(float(query @ key), drawn)
        first_numbers = float(query[0] * key[0])
        assert [each.cause.id for each in pair.recognised(first_numbers, drawn)] == ["m15-absolute-score"]
    for drawn in penalty.grid():
        slopes = [0.5**head for head in range(1, 9)]
        assert penalty.accepts(-slopes[int(drawn["g"]) - 1] * drawn["t"], drawn)


def test_turned_values_are_all_that_makes_the_program_depend_on_places() -> None:
    bank = yaml.safe_load((CONCEPT / "bank.yaml").read_text(encoding="utf-8"))["questions"]
    lines = next(each for each in bank if each["id"] == "turned-values")["lines"]
    generator = np.random.default_rng(8)
    tokens, maps = generator.standard_normal((5, 4)), generator.standard_normal((3, 4, 4))

    def output(*, first: int, mended: bool) -> NDArray[np.float64]:
        names = {
            "np": np,
            "softmax": softmax,
            "rope": lambda rows: np.stack([turned(row, first + at) for at, row in enumerate(rows)]),
        }
        body = "\n".join(f"    {line['fix'] if mended and line.get('right') else line['code']}" for line in lines)
        exec(f"def run(x, W_Q, W_K, W_V, later):\n{body}", names)  # the repository's own text
        later = np.where(np.tri(5, dtype=bool), 0, -np.inf)
        result: NDArray[np.float64] = names["run"](tokens, *maps, later)  # type: ignore[operator]
        return result

    assert np.allclose(output(first=0, mended=True), output(first=10, mended=True))
    assert not np.allclose(output(first=0, mended=False), output(first=10, mended=False))
