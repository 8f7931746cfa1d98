"""Every number that the self-attention card, its bank and its misconceptions print is recomputed here with NumPy.

The texts are read as they stand: a number that is changed on one side only fails. What the card proves is tried, and
its code is run.
"""

import re
from typing import Any

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

from tests.content.reading import MODULE, questions, rows_of_table, softmax

CONCEPT = MODULE / "concepts/05-self-attention"

TOKENS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
REORDERED = [2, 0, 1]  # tokens 3, 1, 2
CAUSAL = np.where(np.tri(3, dtype=bool), 0.0, -np.inf)


def lines_of_card() -> list[str]:
    return (CONCEPT / "card.md").read_text(encoding="utf-8").split("\n")


def printed_matrix(name: str) -> NDArray[np.float64]:
    r"""The matrix that the card prints after `name=\begin{pmatrix}`."""
    match = re.search(rf"{name}=\\begin{{pmatrix}}(.*?)\\end{{pmatrix}}", "\n".join(lines_of_card()))
    assert match is not None
    return np.array([[float(cell) for cell in row.split("&")] for row in match[1].split(r"\\")])


def projected(tokens: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    queries, keys, values = (tokens @ printed_matrix(name) for name in ("W_Q", "W_K", "W_V"))
    return queries, keys, values


def scaled_scores(tokens: NDArray[np.float64]) -> NDArray[np.float64]:
    queries, keys, _ = projected(tokens)
    scaled: NDArray[np.float64] = queries @ keys.T / np.sqrt(2)
    return scaled


def output(tokens: NDArray[np.float64], mask: NDArray[np.float64] | float = 0.0) -> NDArray[np.float64]:
    mixed: NDArray[np.float64] = softmax(scaled_scores(tokens) + mask) @ projected(tokens)[2]
    return mixed


def plain(number: float) -> str:
    """A number as the tables of the card print it: whole numbers short, all others with four decimals."""
    return f"{number:.0f}" if abs(number - round(number)) < 1e-9 else f"{number:.4f}"


def pair(row: NDArray[np.float64]) -> str:
    return f"({plain(row[0])}, {plain(row[1])})"


@pytest.fixture(scope="module")
def front_matter() -> Any:
    return yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])


def test_the_queries_keys_and_values_of_the_example_are_right(card: str) -> None:
    assert "Token 1 is $(1,0)$, token 2 is $(0,1)$ and token 3 is $(1,1)$" in card
    expected = [
        [str(number), *(pair(each) for each in three)]
        for number, three in enumerate(zip(*projected(TOKENS), strict=True), start=1)
    ]

    assert rows_of_table(CONCEPT / "card.md", "token") == expected


def test_the_scaled_scores_of_the_example_are_right(card: str) -> None:
    expected = [
        [f"query {number}", *(plain(score) for score in row)]
        for number, row in enumerate(scaled_scores(TOKENS), start=1)
    ]

    assert rows_of_table(CONCEPT / "card.md", "scaled scores") == expected
    queries, keys, _ = projected(TOKENS)
    assert queries[1].tolist() == [0, 2]
    assert keys[2].tolist() == [1, 1]
    assert rf"have the score $0\cdot1+2\cdot1=2$, scaled {2 / np.sqrt(2):.4f}." in card
    assert f"by the root of the width, {np.sqrt(2):.4f}." in card


def test_the_weights_and_outputs_of_the_example_are_right() -> None:
    expected = [
        [f"query {number}", *(f"{weight:.4f}" for weight in weights), pair(mixed)]
        for number, (weights, mixed) in enumerate(
            zip(softmax(scaled_scores(TOKENS)), output(TOKENS), strict=True), start=1
        )
    ]

    assert rows_of_table(CONCEPT / "card.md", "weights") == expected


def test_what_the_card_says_of_its_weights_is_right(card: str) -> None:
    weights = softmax(scaled_scores(TOKENS))

    assert f"the first column adds up to {weights[:, 0].sum():.4f}" in card
    assert f"token 1 gives token 2 a share of {weights[0, 1]:.4f} and receives {weights[1, 0]:.4f}" in card


def test_the_outputs_in_both_orders_with_and_without_a_mask_are_right() -> None:
    runs = {
        "1, 2, 3": output(TOKENS),
        "3, 1, 2": output(TOKENS[REORDERED]),
        "1, 2, 3, causal mask": output(TOKENS, CAUSAL),
        "3, 1, 2, causal mask": output(TOKENS[REORDERED], CAUSAL),
    }

    assert rows_of_table(CONCEPT / "card.md", "tokens in the order") == [
        [name, *map(pair, rows)] for name, rows in runs.items()
    ]


def test_the_pictures_show_the_weights_of_the_example(front_matter: Any) -> None:
    drawn = [np.array(each["values"]) for each in front_matter["matrix_example"]["matrices"]]
    scores = scaled_scores(TOKENS)

    assert len(drawn) == 2
    assert np.allclose(drawn[0], softmax(scores), atol=5e-5)
    assert np.allclose(drawn[1], softmax(scores + CAUSAL), atol=5e-5)
    assert np.allclose(drawn[1][2], drawn[0][2])  # "row 3 is as before"


def test_the_words_of_the_picture_are_words_and_their_shares_add_up_to_one(front_matter: Any) -> None:
    example = front_matter["weights_example"]

    # Unquoted, YAML reads the word "on" as true.
    assert " ".join(example["words"]) + "." in front_matter["hook"]
    assert example["words"][example["asks"] - 1] == "seal"
    assert sum(example["weights"]) == pytest.approx(1)


def test_reordered_input_gives_reordered_output_whatever_the_matrices() -> None:
    random = np.random.default_rng(5)
    tokens, order = random.standard_normal((7, 4)), random.permutation(7)
    maps = [random.standard_normal((4, width)) for width in (3, 3, 5)]

    def layer(rows: NDArray[np.float64], mask: NDArray[np.float64] | float = 0.0) -> NDArray[np.float64]:
        queries, keys, values = (rows @ each for each in maps)
        mixed: NDArray[np.float64] = softmax(queries @ keys.T / np.sqrt(3) + mask) @ values
        return mixed

    causal = np.where(np.tri(7, dtype=bool), 0.0, -np.inf)
    assert np.allclose(layer(tokens[order]), layer(tokens)[order])
    assert not np.allclose(layer(tokens[order]), layer(tokens))
    assert not np.allclose(layer(tokens[order], causal), layer(tokens, causal)[order])


def test_each_line_of_the_proof_holds() -> None:
    random = np.random.default_rng(6)
    tokens, swap = random.standard_normal((5, 4)), np.eye(5)[random.permutation(5)]
    to_queries, to_keys, to_values = (random.standard_normal((4, 3)) for _ in range(3))
    queries, keys, values = tokens @ to_queries, tokens @ to_keys, tokens @ to_values
    scaled = queries @ keys.T / np.sqrt(3)
    weights = softmax(scaled)

    assert np.allclose((swap @ tokens @ to_queries) @ (swap @ tokens @ to_keys).T, swap @ queries @ keys.T @ swap.T)
    assert np.allclose(softmax(swap @ scaled @ swap.T), swap @ softmax(scaled) @ swap.T)
    assert np.allclose((swap @ weights @ swap.T) @ (swap @ tokens @ to_values), swap @ weights @ values)


def test_the_code_of_the_card_runs_and_agrees_with_a_loop_over_the_tokens() -> None:
    def attention(
        queries: NDArray[np.float64], keys: NDArray[np.float64], values: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        mixed: NDArray[np.float64] = softmax(queries @ keys.T / np.sqrt(keys.shape[-1])) @ values
        return mixed

    source = re.search(r"```python\n(.*?)```", "\n".join(lines_of_card()), re.DOTALL)
    assert source is not None
    names: dict[str, Any] = {"attention": attention}
    exec(source[1], names)  # the repository's own text
    random = np.random.default_rng(7)
    tokens = random.standard_normal((6, 4))
    maps = [random.standard_normal(shape) for shape in ((4, 3), (4, 3), (4, 2), (2, 4))]
    by_hand = [
        softmax(np.array([token @ maps[0] @ (other @ maps[1]) for other in tokens]) / np.sqrt(3))
        @ np.array([other @ maps[2] for other in tokens])
        @ maps[3]
        for token in tokens
    ]

    result = names["self_attention"](tokens, *maps)
    assert result.shape == tokens.shape
    assert np.allclose(result, by_hand)


def test_the_counts_of_the_card_are_right(card: str) -> None:
    width, key_width, value_width = 100, 20, 20
    assert "With $d=100$ and $d_k=d_v=20$ that makes 8,000." in card
    assert width * (2 * key_width + value_width) + value_width * width == 8000
    assert "a million for 1,000 tokens and four million for 2,000" in card
    assert (1000**2, 2000**2) == (1_000_000, 4_000_000)


def test_the_numbers_of_the_choices_are_right(bank: str) -> None:
    weights = softmax(scaled_scores(TOKENS))

    assert f"token 1 gives itself {weights[0, 0]:.4f} and each of the others {weights[0, 1]:.4f}" in bank
    assert weights[0, 1] == pytest.approx(weights[0, 2])
    assert f"token 3 on the card gives itself {weights[2, 2]:.4f}" in bank
    assert weights[2].argmax() == 2
    assert "token 1 gives itself the least" in bank
    assert weights[0].argmin() == 0
    assert f"tokens 1 and 2 give each other {weights[0, 1]:.4f} and {weights[1, 0]:.4f}" in bank
    assert f"$1/900\\approx{1 / 900:.4f}$" in bank
    assert "$900-2=898$ steps" in bank
    assert "a hundred times as many scores" in bank
    assert (9000 / 900) ** 2 == 100
    assert "from 64 entries to 640,000" in bank
    assert (8**2, 800**2) == (64, 640_000)


def test_the_words_of_two_orders_keep_their_vectors() -> None:
    """“dogs chase cats” and “cats chase dogs”: the first and the last row change places, and no row its numbers."""
    dogs_first, cats_first = output(TOKENS), output(TOKENS[[2, 1, 0]])

    assert np.allclose(cats_first[[2, 1, 0]], dogs_first)
    assert not np.allclose(cats_first, dogs_first)


def test_a_single_matrix_for_queries_and_keys_makes_all_scores_mutual() -> None:
    shared = TOKENS @ np.array([[1.0, 0.5], [0.0, 2.0]])
    scores = shared @ shared.T

    assert np.allclose(scores, scores.T)
    assert not np.allclose(softmax(scores), softmax(scores).T)  # equal scores, other rows


@pytest.mark.parametrize("third", [2, 3, 4, 5])
def test_the_weight_on_the_third_token_and_its_wrong_values_are_those_of_numpy(third: int) -> None:
    scores = np.array([[0.0, 1.0], [1.0, 0.0], [third, 1.0]]) @ np.array([1.0, 0.0])
    question = questions()["self-attention/weight-on-third"]
    accepts, wrong = question.task.accepts, question.task.wrong

    assert accepts(softmax(scores / np.sqrt(2))[2], {"k": third})
    expected = {
        "m03-no-scale": softmax(scores)[2],
        "m05-excludes-itself": softmax(scores[1:] / np.sqrt(2))[1],
        "m03-divide-by-dk": softmax(scores / 2)[2],
    }
    assert {each.cause.id for each in wrong} == expected.keys()
    for cause, value in expected.items():
        assert [each.cause.id for each in question.task.recognised(value, {"k": third})] == [cause]


def test_the_numbers_of_the_misconceptions_are_right(misconceptions: str) -> None:
    weights = softmax(scaled_scores(TOKENS))

    assert "The first of the card's three tokens keeps less than a fifth for itself." in misconceptions
    bare = softmax(TOKENS @ TOKENS.T / np.sqrt(2))
    assert f"The third of the card's tokens would give itself {bare[2, 2]:.4f} of its weight." in misconceptions
    assert weights[0, 0] < 0.2
    assert f"{weights[0, 1]:.4f} goes one way and {weights[1, 0]:.4f} comes back" in misconceptions
    assert "From 1,000 tokens to 2,000, a million scores become four million." in misconceptions


def test_the_chart_counts_the_steps_of_the_longest_path() -> None:
    chart = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])["charts"][0]
    tokens = chart["x"]["values"]
    recurrent, attention = (line["values"] for line in chart["lines"])

    assert recurrent == [len(range(1, length)) for length in tokens]  # updates from token 1 to the last
    assert set(attention) == {1}
