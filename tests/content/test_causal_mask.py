"""Every number that the causal mask's card, bank and misconceptions print is recomputed here with NumPy.

The texts are read as they stand: a number that is changed on one side only fails. What they say of PyTorch is tried
with PyTorch.
"""

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

from tests.content.reading import MODULE, questions, rows_of_table, softmax

CONCEPT = MODULE / "concepts/07-causal-mask"

SCORES = np.array([[1.0, 2.0, 3.0], [2.0, 1.0, 0.0], [0.0, 1.0, 2.0]])
MASK = np.where(np.tri(3, dtype=bool), 0.0, -np.inf)


def blocked(*, above: int) -> NDArray[np.float64]:
    """The worked scores with minus infinity from so many places above the diagonal on."""
    return np.where(np.triu(np.ones((3, 3), bool), k=above), -np.inf, SCORES)


def listed(row: NDArray[np.float64]) -> str:
    """A row of weights as the tables of the card print it."""
    if np.isnan(row).any():
        return "not a number"
    return ", ".join(f"{weight:.4f}" if 0 < weight < 1 else f"{weight:.0f}" for weight in row)


def test_the_table_of_the_worked_rows_is_right(card: str) -> None:
    masked = [r"1,\;-\infty,\;-\infty", r"2,\;1,\;-\infty", r"0,\;1,\;2"]
    assert [np.isneginf(row).sum() for row in SCORES + MASK] == [text.count("infty") for text in masked]

    assert rows_of_table(CONCEPT / "card.md", "query") == [
        [str(number), f"${text}$", listed(weights), listed(unmasked)]
        for number, text, weights, unmasked in zip(
            (1, 2, 3), masked, softmax(SCORES + MASK), softmax(SCORES), strict=True
        )
    ]
    rows = ["(" + ", ".join(f"{score:.0f}" for score in row) + ")" for row in SCORES]
    assert f"the scaled scores are {rows[0]}, {rows[1]} and {rows[2]}:" in card


def test_the_pictures_show_the_worked_rows() -> None:
    front = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])
    scores, weights = front["matrix_example"]["matrices"]

    assert np.array_equal(np.array(scores["values"], dtype=float), SCORES + MASK)
    assert np.array_equal(np.array(weights["values"]), softmax(SCORES + MASK).round(4))
    shares = front["weights_example"]
    assert sum(shares["weights"]) == pytest.approx(1)
    assert all((weight == 0) == (at >= shares["asks"]) for at, weight in enumerate(shares["weights"]))


def test_the_two_weights_of_the_second_query_are_right(card: str) -> None:
    weights = softmax(SCORES + MASK)[1]
    with_another_third_score = SCORES.copy()
    with_another_third_score[1, 2] = 1000

    assert rf"a_{{21}}&=\frac{{e^{{2}}}}{{e^{{2}}+e^{{1}}}}={weights[0]:.4f}" in card
    assert rf"a_{{22}}&=\frac{{e^{{1}}}}{{e^{{2}}+e^{{1}}}}={weights[1]:.4f}" in card
    assert np.array_equal(softmax(with_another_third_score + MASK)[1], weights)


def test_the_table_of_faults_is_what_each_fault_gives(card: str) -> None:
    cleared = softmax(SCORES) * np.tri(3)
    transposed = np.where(np.tri(3, k=-1, dtype=bool), -np.inf, SCORES)
    done = {
        "masked rightly": softmax(SCORES + MASK),
        "weights zeroed after the softmax": cleared,
        "blocked scores set to 0": softmax(SCORES * np.tri(3)),
        "one key too many left open": softmax(blocked(above=2)),
        "diagonal blocked as well": softmax(blocked(above=0)),
        "past blocked, future open": softmax(transposed),
    }

    rows = rows_of_table(CONCEPT / "card.md", "what was done")
    assert rows == [[name, listed(found[0]), listed(found[2])] for name, found in done.items()]
    assert f"rows 1 and 2 add up to {cleared[0].sum():.4f} and {cleared[1].sum():.4f}." in card


def test_the_counts_of_allowed_pairs_are_right(card: str) -> None:
    assert "6 allowed pairs of 9, and 1,000 tokens have 500,500 of 1,000,000" in card
    assert np.tri(3).sum() == 6
    assert np.tri(1000).sum() == 500_500


def test_a_later_token_changes_nothing_before_it_in_any_layer() -> None:
    random = np.random.default_rng(7)
    maps = random.standard_normal((3, 3, 4, 4))  # three layers, each with queries, keys and values

    def run(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
        allowed = np.tri(len(vectors), dtype=bool)
        for to_query, to_key, to_value in maps:
            scores = (vectors @ to_query) @ (vectors @ to_key).T / 2
            vectors = vectors + softmax(np.where(allowed, scores, -np.inf)) @ (vectors @ to_value)
        return vectors

    vectors = random.standard_normal((9, 4))
    changed = vectors.copy()
    changed[6] += 1

    assert np.array_equal(run(vectors)[:6], run(changed)[:6])
    assert not np.allclose(run(vectors)[6:], run(changed)[6:])
    assert np.allclose(run(vectors[:5]), run(vectors)[:5])  # each prefix is as if the text ended there


def test_the_example_of_order_is_right(card: str) -> None:
    equal = np.zeros((2, 2))
    mask = np.where(np.tri(2, dtype=bool), 0.0, -np.inf)

    assert "both outputs are 2, whichever comes first" in card
    assert list(softmax(equal) @ [4, 0]) == list(softmax(equal) @ [0, 4]) == [2, 2]
    assert "the order 4, 0 gives the outputs 4 and 2, and the order 0, 4 gives 0 and 2" in card
    assert list(softmax(equal + mask) @ [4, 0]) == [4, 2]
    assert list(softmax(equal + mask) @ [0, 4]) == [0, 2]
    first = softmax(np.where(np.tri(6, dtype=bool), 0.0, -np.inf)) @ np.eye(6)[0]
    assert np.allclose(first, [1 / place for place in range(1, 7)])


def test_masking_later_agrees_on_paper_and_breaks_in_float64(card: str, misconceptions: str) -> None:
    def masked_later(scores: NDArray[np.float64]) -> NDArray[np.float64]:
        cleared = softmax(scores) * np.tri(len(scores))
        with np.errstate(invalid="ignore"):
            return cleared / cleared.sum(axis=1, keepdims=True)

    assert np.allclose(masked_later(SCORES), softmax(SCORES + MASK))
    assert "about 745 above every allowed score" in card
    assert "a blocked score 746 above the allowed ones" in misconceptions
    assert np.isfinite(masked_later(np.array([[0.0, 744.0], [0.0, 0.0]]))).all()
    assert np.isnan(masked_later(np.array([[0.0, 746.0], [0.0, 0.0]]))[0]).all()


def test_the_traps_of_large_numbers_are_right(card: str, misconceptions: str) -> None:
    beside_minus_eight, beside_zero = softmax(np.array([-8.0, -10.0]))[1], softmax(np.array([0.0, -10.0]))[1]

    assert f"a blocked score of $-10$ keeps a weight of {beside_minus_eight:.4f}" in card
    assert (
        f"keeps a weight of {beside_minus_eight:.3f}, and even beside a 0 it keeps {beside_zero:.6f}" in misconceptions
    )
    assert softmax(np.array([-8.0, -1e9]))[1] == 0
    with np.errstate(invalid="ignore"):
        assert np.isnan(-np.inf * np.array([0.0])).all()
    assert np.isnan(softmax(np.full((1, 3), -np.inf))).all()


def test_pytorch_reads_boolean_masks_as_the_card_says(card: str) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    lower = torch.tensor([[True, False], [True, True]])
    same = torch.zeros(1, 1, 2, 2)

    weights = torch.nn.functional.scaled_dot_product_attention(same, same, torch.eye(2)[None, None], attn_mask=lower)
    assert weights[0, 0].tolist() == [[1.0, 0.0], [0.5, 0.5]]
    layer = torch.nn.MultiheadAttention(2, 1, batch_first=True)
    tokens = torch.ones(1, 2, 2)
    assert layer(tokens, tokens, tokens, attn_mask=~lower)[1][0].tolist() == [[1.0, 0.0], [0.5, 0.5]]
    assert (
        "True lets a key take part in `scaled_dot_product_attention` and blocks it in `nn.MultiheadAttention`" in card
    )


def test_the_numbers_about_cleared_and_zeroed_rows_are_right(bank: str, misconceptions: str) -> None:
    assert "every key gets 0.2, and clearing the fifth leaves row 4 with 0.8" in bank
    assert softmax(np.zeros((1, 5)))[0, :4].sum() == pytest.approx(0.8)
    thirds = softmax(np.ones((1, 3)))[0]
    assert f"row 2 would keep {thirds[0]:.3f} and {thirds[1]:.3f} and lose" in bank
    assert f"row 2 adds up to {thirds[:2].sum():.3f}" in bank
    assert "and the row is " + ", ".join(f"{w:g}" for w in softmax(np.array([1, 1, -np.inf]))) in bank
    assert "beside one allowed score of 0.5 a blocked key" in bank
    assert f"a blocked key would still get a weight of {softmax(np.array([0.5, 0.0]))[1]:.3f}" in bank
    assert "row 1 keeps a quarter and row 3 three quarters" in misconceptions
    assert list((softmax(np.zeros((4, 4))) * np.tri(4)).sum(axis=1)[[0, 2]]) == [0.25, 0.75]
    assert f"it still gets a weight of {softmax(np.array([1.0, 0.0]))[1]:.3f}" in misconceptions


def test_the_numbers_of_the_leaking_row_point_to_one_fault(bank: str) -> None:
    exponentials = np.array([2.0, 1.0, 5.0])
    zeroed_scores = np.exp(np.log(exponentials) * [1, 0, 0])
    total = exponentials.sum()

    assert "are 2, 1 and 5, and the weights come out as 0.50, 0.25 and 0.25" in bank
    assert np.allclose(zeroed_scores / zeroed_scores.sum(), [0.50, 0.25, 0.25])
    assert "$2/(2+1+1)=0.50$ and twice $1/4=0.25$" in bank
    assert f"the row is {2 / total:g}, 0, 0. Here" in bank
    assert f"add up to {total:.0f}, so key 1 gets $2/8={2 / total}$" in bank
    assert "that is " + ", ".join(f"{e / total:g}" for e in exponentials[:2]) + f" and {5 / total:g}" in bank


def test_the_counts_of_blocked_pairs_are_right(bank: str) -> None:
    def blocked_pairs(tokens: int) -> int:
        return int(np.triu(np.ones((tokens, tokens)), k=1).sum())

    assert f"with 10 tokens it computes 100 scores and puts {blocked_pairs(10)} of them out of use" in bank
    assert f"Of $30\\cdot30=900$ pairs, {blocked_pairs(30)} are blocked, but row 1 has 29 of them" in bank
    assert "between three and four times as many pairs" in bank
    for tokens in (5, 6, 8, 10, 12, 16, 20):
        assert 3 < np.tri(2 * tokens).sum() / np.tri(tokens).sum() < 4


@pytest.mark.parametrize("tokens", [5, 6, 8, 10, 12, 16, 20])
def test_the_key_of_the_counting_question_is_the_number_of_open_pairs(tokens: int) -> None:
    assert questions()["causal-mask/allowed-pairs"].task.accepts(float(np.tri(tokens).sum()), {"n": tokens})


def test_every_value_of_the_weight_question_is_what_its_rule_gives() -> None:
    task = questions()["causal-mask/row-two-weight"].task
    for drawn in task.grid():
        scores = np.array([drawn["a"], drawn["b"], drawn["c"]])
        found = {
            "m07-after-softmax": softmax(scores)[0],
            "m07-zero-score": softmax(scores * [1, 1, 0])[0],
            "m07-transposed": softmax(np.where([True, False, False], -np.inf, scores))[0],
            "m07-blocks-diagonal": softmax(np.where([False, True, True], -np.inf, scores))[0],
            "slip-swap": softmax(np.where([False, False, True], -np.inf, scores))[1],
        }

        assert task.accepts(softmax(np.where([False, False, True], -np.inf, scores))[0], drawn)
        for cause, value in found.items():
            assert [wrong.cause.id for wrong in task.recognised(value, drawn)] == [cause]


def test_the_numbers_about_an_added_mask_are_right(misconceptions: str) -> None:
    beside_an_equal_score = softmax(np.array([1.0, 0.0]))[1]

    assert f"multiplies its exponential by {np.e:.3f}" in misconceptions
    assert f"with the same score still gets a weight of {beside_an_equal_score:.3f}" in misconceptions
