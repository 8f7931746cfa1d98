"""The matrices that the questions about self-attention ask for, and those that their wrong answers are."""

import numpy as np


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


DEFINED = {
    "self-attention/scores-from-the-input": scores_from_the_input,
    "self-attention/the-same-in-another-order": the_same_in_another_order,
}
