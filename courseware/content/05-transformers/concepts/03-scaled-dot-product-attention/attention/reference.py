"""Correct programs for `attention`, in styles that learners use. The first one is the reference.

Shapes:  Q float64[..., queries, width]; K float64[..., keys, width]; V float64[..., keys, value_width];
         result float64[..., queries, value_width]
Limits:  stable for any finite score; the largest score of each row is subtracted first
Source:  Vaswani et al. 2017, "Attention is all you need", equation 1
"""

import numpy as np


def by_products(Q, K, V):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ V


def by_einsum(Q, K, V):
    scores = np.einsum("...qd,...kd->...qk", Q / np.sqrt(Q.shape[-1]), K)
    exponentials = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    mixed = np.einsum("...qk,...kv->...qv", exponentials, V)
    return mixed / exponentials.sum(axis=-1)[..., np.newaxis]


def by_loops(Q, K, V):
    leading = Q.shape[:-2]
    result = np.zeros((*leading, Q.shape[-2], V.shape[-1]))
    for place in np.ndindex(*leading):
        for row, query in enumerate(Q[place]):
            scores = [float(np.dot(query, key)) / len(query) ** 0.5 for key in K[place]]
            exponentials = [np.exp(score - max(scores)) for score in scores]
            total = sum(exponentials)
            for exponential, value in zip(exponentials, V[place], strict=True):
                result[(*place, row)] += exponential / total * value
    return result


def by_logarithms(Q, K, V):
    """The normaliser is subtracted as a logarithm, so nothing is ever divided."""
    scores = (Q[..., :, np.newaxis, :] * K[..., np.newaxis, :, :]).sum(axis=-1) * Q.shape[-1] ** -0.5
    highest = np.where(np.isfinite(scores), scores, -np.inf).max(axis=-1, keepdims=True)
    normaliser = highest + np.log(np.exp(scores - highest).sum(axis=-1, keepdims=True))
    return np.matmul(np.exp(scores - normaliser), V)


def by_running_maximum(Q, K, V):
    """One key at a time, as memory-saving programs do it: earlier sums are rescaled when the maximum grows."""
    highest = np.full((*Q.shape[:-1], 1), -np.inf)
    total = np.zeros_like(highest)
    mixed = np.zeros((*Q.shape[:-1], V.shape[-1]))
    for key in range(K.shape[-2]):
        score = (Q * K[..., key : key + 1, :]).sum(axis=-1, keepdims=True) / np.sqrt(Q.shape[-1])
        raised = np.maximum(highest, score)
        kept, added = np.exp(highest - raised), np.exp(score - raised)
        total = total * kept + added
        mixed = mixed * kept + added * V[..., key : key + 1, :]
        highest = raised
    return mixed / total


STYLES = {
    "products": by_products,
    "einsum": by_einsum,
    "loops": by_loops,
    "logarithms": by_logarithms,
    "running maximum": by_running_maximum,
}
