"""Correct programs for `masked_attention`, in styles that learners use. The first one is the reference.

Shapes:  Q float64[..., queries, width]; K float64[..., keys, width]; V float64[..., keys, value_width];
         keep bool, broadcasts to [..., queries, keys]; result float64[..., queries, value_width]
Limits:  a query without any key gives zeros, as in PyTorch's scaled_dot_product_attention; stable for finite scores
Source:  Vaswani et al. 2017, "Attention is all you need", section 3.2
"""

import numpy as np


def by_condition(Q, K, V, keep):
    scores = np.where(keep, Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]), -np.inf)
    highest = scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isfinite(highest), highest, 0.0))
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1.0, total) @ V


def by_adding_minus_infinity(Q, K, V, keep):
    mask = np.zeros(keep.shape)
    mask[~keep] = -np.inf
    scores = np.einsum("...qw,...kw->...qk", Q, K) * Q.shape[-1] ** -0.5 + mask
    with np.errstate(invalid="ignore"):
        weights = np.exp(scores - scores.max(axis=-1)[..., np.newaxis])
        weights /= weights.sum(axis=-1)[..., np.newaxis]
    return np.einsum("...qk,...kv->...qv", np.nan_to_num(weights), V)


def by_a_billion(Q, K, V, keep):
    """A finite number is as good as infinity while no score comes near it; empty rows are emptied at the end."""
    scores = np.where(keep, Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]), -1e9)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    result = exponentials / exponentials.sum(axis=-1, keepdims=True) @ V
    return np.where(keep.any(axis=-1, keepdims=True), result, 0.0)


def by_loops(Q, K, V, keep):
    """Each query meets only the keys that it may use, so nothing is ever hidden."""
    result = np.zeros((*Q.shape[:-1], V.shape[-1]))
    asked = np.broadcast_to(keep, (*Q.shape[:-1], K.shape[-2]))
    for place in np.ndindex(*Q.shape[:-1]):
        keys = np.flatnonzero(asked[place])
        if len(keys):
            scores = K[place[:-1]][keys] @ Q[place] / np.sqrt(Q.shape[-1])
            exponentials = np.exp(scores - scores.max())
            result[place] = exponentials / exponentials.sum() @ V[place[:-1]][keys]
    return result


STYLES = {
    "condition": by_condition,
    "minus infinity added": by_adding_minus_infinity,
    "a billion": by_a_billion,
    "loops": by_loops,
}
