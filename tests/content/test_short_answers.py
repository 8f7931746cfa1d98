"""The terms that a short answer accepts are those a learner would type, and the numbers of its texts are recomputed."""

import numpy as np
import pytest

from tests.content.reading import MODULE, questions, words_of


def task(question_id):
    return questions()[question_id].task


def words_of_bank(folder):
    return words_of(MODULE / "concepts" / folder / "bank.yaml")


@pytest.mark.parametrize(
    ("question_id", "typed"),
    [
        ("scaled-dot-product-attention/total-of-a-row", "One."),
        ("scaled-dot-product-attention/total-of-a-row", "100 %"),
        ("self-attention/name-of-the-property", "Permutation-Equivariance"),
        ("self-attention/name-of-the-property", "equi\u00advariant"),  # a soft hyphen comes with a copied word
        ("causal-mask/what-is-added", "\u2212 ∞"),
        ("causal-mask/what-is-added", "Minus Infinity."),
        ("causal-mask/what-is-added", "-INF"),
    ],
)
def test_a_usual_spelling_is_accepted(question_id, typed):
    assert task(question_id).accepts(typed)


@pytest.mark.parametrize(
    ("question_id", "typed", "cause"),
    [
        ("scaled-dot-product-attention/total-of-a-row", "1 / 37", "slip-partial"),
        ("self-attention/name-of-the-property", "Permutation invariance", "slip-scope"),
        ("causal-mask/what-is-added", "infinity", "slip-swap"),  # the sign decides
        ("causal-mask/what-is-added", "0", "m07-zero-score"),
        ("causal-mask/what-is-added", "−10", "m07-any-negative-will-do"),
    ],
)
def test_a_likely_wrong_answer_is_known(question_id, typed, cause):
    assert not task(question_id).accepts(typed)
    assert task(question_id).recognised(typed).cause.id == cause


def test_the_numbers_about_the_total_of_a_row_are_right():
    bank = words_of_bank("03-scaled-dot-product-attention")

    assert f"$1/37\\approx{1 / 37:.3f}$" in bank
    assert f"$e^{{-3}}\\approx{np.exp(-3):.3f}$" in bank
    assert f"a row would add up to $1/\\sqrt{{d_k}}$, one half at width {1 / 0.5**2:.0f}" in bank


def test_what_is_said_of_other_properties_is_right():
    bank = words_of_bank("05-self-attention")
    tokens = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    queries, keys = tokens @ np.diag([1.0, 2.0]), tokens[:, ::-1]
    scores = np.exp(queries @ keys.T / np.sqrt(2))
    weights = scores / scores.sum(axis=1, keepdims=True)

    assert f"on the card {weights[0, 1]:.4f} goes one way and {weights[1, 0]:.4f} comes back" in bank
    assert "twice the input has four times the scores" in bank
    assert np.array_equal((2 * queries) @ (2 * keys).T, 4 * (queries @ keys.T))


def test_the_numbers_about_what_a_mask_adds_are_right():
    bank = words_of_bank("07-causal-mask")

    assert f"beside one allowed score of 1 it keeps a weight of {1 / (1 + np.e):.3f}" in bank
    assert f"Adding 1 to a score multiplies its exponential by {np.e:.3f}" in bank
    assert "With $-10$ added, an allowed score of $-9$ and a later one of 1 become equal" in bank
