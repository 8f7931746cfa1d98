"""Correct programs for `causal_attention`, in styles that learners use. The first one is the reference.

They are written with NumPy in float64: the judge compares what a learner's tensors hold and never loads PyTorch itself.

Shapes:  Q, K float64[..., tokens, width]; V float64[..., tokens, value_width]; result float64[..., tokens, value_width]
Limits:  window is None or a whole number from 1; stable for any finite score, since the largest allowed score of each
         row is subtracted first
Source:  Vaswani et al. 2017, "Attention is all you need", section 3.2.3; Beltagy et al. 2020, "Longformer", section 3.1
"""

import numpy as np


def by_condition(Q, K, V, window=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    scores = np.where(_allowed(Q.shape[-2], window), scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ V


def by_adding_minus_infinity(Q, K, V, window=None):
    mask = np.zeros((Q.shape[-2], Q.shape[-2]))
    mask[~_allowed(Q.shape[-2], window)] = -np.inf
    scores = np.einsum("...iw,...jw->...ij", Q, K) * Q.shape[-1] ** -0.5 + mask
    exponentials = np.exp(scores - np.max(scores, axis=-1)[..., np.newaxis])
    return np.einsum("...ij,...jv->...iv", exponentials, V) / exponentials.sum(axis=-1)[..., np.newaxis]


def by_adding_a_billion(Q, K, V, window=None):
    """A finite number is as good as infinity while no score comes near it."""
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]) - 1e9 * ~_allowed(Q.shape[-2], window)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ V


def by_loops(Q, K, V, window=None):
    """Each query meets only the keys that it may use, so there is no mask at all."""
    result = np.zeros((*Q.shape[:-1], V.shape[-1]))
    for place in np.ndindex(*Q.shape[:-2]):
        for token, query in enumerate(Q[place]):
            first = 0 if window is None else max(0, token - window + 1)
            scores = K[place][first : token + 1] @ query / np.sqrt(len(query))
            exponentials = np.exp(scores - scores.max())
            result[(*place, token)] = exponentials / exponentials.sum() @ V[place][first : token + 1]
    return result


def _allowed(tokens, window):
    behind = np.arange(tokens)[:, np.newaxis] - np.arange(tokens)
    return (behind >= 0) & (behind < (tokens if window is None else window))


STYLES = {
    "condition": by_condition,
    "minus infinity added": by_adding_minus_infinity,
    "a billion subtracted": by_adding_a_billion,
    "loops": by_loops,
}
