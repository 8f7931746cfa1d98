"""Every matrix that a question asks for, and every wrong one that it knows, is recomputed with NumPy.

The site has a small arithmetic of its own, written as expressions in the banks; here the same is done from the
definitions, with arrays, for all numbers that a question can draw.
"""

import numpy as np
import pytest

from tests.content.reading import questions, softmax

ASKED = {id_: question for id_, question in questions().items() if question.kind == "matrix"}


def weights_of_two_queries(a, b):
    scores = np.array([[a, 0, 4], [2, b, 6]], dtype=float)
    return softmax(scores / np.sqrt(16)), {
        "m03-no-scale": softmax(scores),
        "m03-divide-by-dk": softmax(scores / 16),
        "m03-softmax-columns": softmax(scores / 4, axis=0),
        "m03-scale-after": softmax(scores) / 4,
        "m03-scale-by-length": softmax(scores / np.sqrt(scores.shape[1])),
    }


def mix_two_outputs(a, b):
    weights, values = np.array([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7]]), np.array([[a, 0], [0, b], [4, 2]], dtype=float)
    leading = weights.argmax(axis=1)
    return weights @ values, {
        "m03-ignores-scores": np.stack([values.mean(axis=0)] * 2),
        "m03-exact-zero": values[leading],
        "slip-partial": weights.max(axis=1, keepdims=True) * values[leading],
        "slip-transpose": (weights @ values).T,
    }


def scores_from_the_input(a, b):
    tokens = np.array([[1, 0], [0, 2], [1, 1]])
    to_query, to_key = np.array([[a, 1], [0, 1]]), np.array([[1, 0], [b, 1]])
    queries, keys = tokens @ to_query, tokens @ to_key
    return queries @ keys.T, {
        "m05-qkv-identical": queries @ queries.T,
        "slip-partial": queries @ tokens.T,
        "slip-swap": keys @ queries.T,
        "slip-transpose": (tokens @ to_query.T) @ (tokens @ to_key.T).T,
    }


def the_same_in_another_order(a, b):
    weights = np.array([[a, 0.35, 0.65 - a], [0.05, b, 0.95 - b], [0.3, 0.1, 0.6]])
    assert np.allclose(weights.sum(axis=1), 1)
    assert (weights > 0).all()
    order, back = [2, 0, 1], [1, 2, 0]  # tokens 3, 1, 2
    return weights[np.ix_(order, order)], {
        "slip-scope": weights,
        "slip-partial": weights[order],
        "slip-swap": weights[np.ix_(back, back)],
        "slip-transpose": weights[np.ix_(order, order)].T,
    }


def weights_under_the_mask(a, b):
    scores = np.array([[2, a, 0], [0, b, 3], [a, 1, 0]], dtype=float)
    allowed = np.tri(3, dtype=bool)
    return softmax(np.where(allowed, scores, -np.inf)), {
        "m07-only-generation": softmax(scores),
        "m07-after-softmax": softmax(scores) * allowed,
        "m07-zero-score": softmax(scores * allowed),
        "m07-transposed": softmax(np.where(allowed.T, scores, -np.inf)),
        "m07-blocks-diagonal": np.nan_to_num(softmax(np.where(np.tri(3, k=-1, dtype=bool), scores, -np.inf))),
        "m07-leaks-next": softmax(np.where(np.tri(3, k=1, dtype=bool), scores, -np.inf)),
        "m07-adds-the-mask": softmax(scores + allowed),
        "m03-softmax-columns": softmax(np.where(allowed, scores, -np.inf), axis=0),
    }


def two_masks_in_one(p):
    later, filler = np.triu(np.ones((4, 4), bool), k=1), np.zeros((4, 4), bool)
    filler[:, p - 1] = True

    def mask(blocked):
        return np.where(blocked, -np.inf, 0.0)

    return mask(later | filler), {
        "m07-same-as-padding": mask(filler),
        "slip-partial": mask(later),
        "m07-transposed": mask(later.T | filler),
        "slip-transpose": mask(later | filler.T),
    }


DEFINED = {
    "scaled-dot-product-attention/weights-of-two-queries": weights_of_two_queries,
    "scaled-dot-product-attention/mix-two-outputs": mix_two_outputs,
    "self-attention/scores-from-the-input": scores_from_the_input,
    "self-attention/the-same-in-another-order": the_same_in_another_order,
    "causal-mask/weights-under-the-mask": weights_under_the_mask,
    "causal-mask/two-masks-in-one": two_masks_in_one,
}


def test_every_question_for_a_matrix_is_recomputed():
    assert DEFINED.keys() == ASKED.keys()


@pytest.mark.parametrize("question_id", DEFINED)
def test_the_key_and_every_slip_are_what_numpy_gives(question_id):
    task = ASKED[question_id].task
    for parameters in task.grid():
        drawn = task.drawn(parameters)
        key, slips = DEFINED[question_id](**parameters)

        assert np.allclose(drawn.key, key)
        assert [slip.cause.id for slip in task.wrong] == list(slips)
        for cause, matrix in zip(slips, drawn.slips, strict=True):
            assert np.allclose(matrix, slips[cause]), (parameters, cause)
