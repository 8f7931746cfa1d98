"""Every number that the card of concept 8, its bank and its misconceptions print is recomputed here with NumPy."""

from typing import Any

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

from tests.content.reading import MODULE, questions, rows_of_table, softmax

CONCEPT = MODULE / "concepts/08-cross-attention"

QUERIES = np.array([[1.0, 0.0], [0.0, 2.0]])
KEYS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
VALUES = np.array([[10.0, 0.0], [0.0, 10.0], [5.0, 5.0]])


def attention(
    queries: NDArray[np.float64], keys: NDArray[np.float64], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    return softmax(queries @ keys.T / np.sqrt(keys.shape[1])) @ values


def listed(row: NDArray[np.float64]) -> str:
    return ", ".join("0" if number == 0 else f"{number:.4f}" for number in row)


def test_the_table_of_the_two_queries_is_right(card: str) -> None:
    scores = QUERIES @ KEYS.T / np.sqrt(2)
    rows = zip((1, 2), scores, softmax(scores), attention(QUERIES, KEYS, VALUES), strict=True)

    assert "the queries be $(1,0)$ and $(0,2)$, the keys $(1,0)$, $(0,1)$ and $(1,1)$" in card
    assert "the values $(10,0)$, $(0,10)$ and $(5,5)$" in card
    assert rows_of_table(CONCEPT / "card.md", "target token") == [
        [str(token), listed(score), listed(weights), f"({listed(output)})"] for token, score, weights, output in rows
    ]


def test_the_picture_shows_the_weights_of_the_table() -> None:
    front = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])
    shown = np.array(front["matrix_example"]["matrices"][0]["values"])

    assert np.array_equal(shown, softmax(QUERIES @ KEYS.T / np.sqrt(2)).round(4))


def test_reordered_source_rows_change_no_output() -> None:
    order = [2, 0, 1]

    assert np.allclose(attention(QUERIES, KEYS[order], VALUES[order]), attention(QUERIES, KEYS, VALUES), atol=1e-14)


def test_the_counts_of_the_example_are_right(card: str) -> None:
    assert "A source of 25 tokens and a target of 20 give a table of 20 by 25, and 20 rows come out." in card
    assert f"the example takes about {2 * 20 * 25 * 512:,}." in card
    assert f"with 8 heads {8 * 20 * 25:,} of them" in card


def test_the_projections_that_are_kept_are_counted_rightly(card: str, misconceptions: str) -> None:
    assert f"For 25 source tokens and 6 layers that is {25 * 6} rows of keys" in card
    assert f"for each of 40 target tokens it would be {25 * 6 * 40:,}." in card
    assert f"would be {25 * 6 * 40:,} projections where {25 * 6} are enough" in misconceptions


def test_the_numeric_questions_count_what_is_asked_for() -> None:
    weights, kept = (
        questions()[f"cross-attention/{slug}"].task for slug in ("weights-of-one-layer", "projections-with-reuse")
    )
    for drawn in weights.grid():
        shape = int(drawn["h"]), int(drawn["m"]), int(drawn["n"])
        assert weights.accepts(float(np.ones(shape).sum()), drawn)
    for drawn in kept.grid():
        assert kept.accepts(float(sum(1 for _ in range(int(drawn["L"])) for _ in range(int(drawn["n"])))), drawn)


def test_equal_scores_share_evenly_over_the_source(bank: str) -> None:
    assert "a row shares its 1 among five keys, 0.2 each" in bank
    assert softmax(np.full((3, 5), 6.0))[0] == pytest.approx(0.2)


@pytest.mark.parametrize("mended", [True, False])
def test_the_values_are_the_only_fault_of_the_program(mended: bool) -> None:
    entries = yaml.safe_load((CONCEPT / "bank.yaml").read_text(encoding="utf-8"))["questions"]
    lines = next(each["lines"] for each in entries if each["id"] == "values-of-the-wrong-text")
    body = "\n    ".join(line["fix"] if mended and line.get("right") else line["code"] for line in lines)
    names: dict[str, Any] = {"np": np, "softmax": softmax}
    exec(f"def cross(y, z, W_Q, W_K, W_V):\n    {body}", names)  # the repository's own text
    generator = np.random.default_rng(8)
    y, z = generator.standard_normal((4, 6)), generator.standard_normal((7, 6))
    matrices = generator.standard_normal((3, 6, 2))

    if mended:
        expected = attention(y @ matrices[0], z @ matrices[1], z @ matrices[2])
        assert np.allclose(names["cross"](y, z, *matrices), expected)
    else:  # "With 4 rows in `y` and 7 in `z`, the weights do not even fit"
        with pytest.raises(ValueError, match="mismatch"):
            names["cross"](y, z, *matrices)
        assert names["cross"](y, z[:4], *matrices).shape == (4, 2)  # "If both have equally many rows, the program runs"
