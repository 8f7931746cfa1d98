"""Correct programs for `flash_attention`, in styles that learners use. The first one is the reference.

They are written with NumPy in float64: the judge compares what a learner's tensors hold and never loads PyTorch itself.

Shapes:  Q float64[..., queries, width]; K float64[..., keys, width]; V float64[..., keys, value_width];
         result float64[..., queries, value_width] and float64[..., queries]
Units:   LSE is a natural logarithm
Limits:  stable for any finite score; with causal there are as many queries as keys
Source:  Dao et al. 2022, "FlashAttention", algorithm 1; Dao 2023, "FlashAttention-2", section 3.1
"""

import numpy as np


def by_definition(Q, K, V, bq, bk, causal=False):
    """The whole table at once: what every way by tiles must equal."""
    del bq, bk
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if causal:
        scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
    largest = scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores - largest)
    total = weights.sum(axis=-1, keepdims=True)
    return weights / total @ V, (largest + np.log(total))[..., 0]


def by_tiles(Q, K, V, bq, bk, causal=False):
    outputs, logarithms = [], []
    for top in range(0, Q.shape[-2], bq):
        queries = Q[..., top : top + bq, :]
        rows = np.arange(top, top + queries.shape[-2])
        m = np.full((*queries.shape[:-1], 1), -np.inf)
        l, o = np.zeros_like(m), np.zeros((*queries.shape[:-1], V.shape[-1]))
        for begin in range(0, rows[-1] + 1 if causal else K.shape[-2], bk):
            keys, values = K[..., begin : begin + bk, :], V[..., begin : begin + bk, :]
            scores = queries @ np.swapaxes(keys, -1, -2) / np.sqrt(Q.shape[-1])
            if causal and begin + bk > top:
                hidden = begin + np.arange(keys.shape[-2]) > rows[:, np.newaxis]
                scores = np.where(hidden, -np.inf, scores)
            larger = np.maximum(m, scores.max(axis=-1, keepdims=True))
            weights, kept = np.exp(scores - larger), np.exp(m - larger)
            l, o, m = kept * l + weights.sum(axis=-1, keepdims=True), kept * o + weights @ values, larger
        outputs.append(o / l)
        logarithms.append((m + np.log(l))[..., 0])
    return np.concatenate(outputs, axis=-2), np.concatenate(logarithms, axis=-1)


def by_keys_outside(Q, K, V, bq, bk, causal=False):
    """The blocks of keys in the outer loop; finished parts are merged by the logarithms of their sums."""
    O, LSE = np.zeros((*Q.shape[:-1], V.shape[-1])), np.full(Q.shape[:-1], -np.inf)
    for begin in range(0, K.shape[-2], bk):
        keys, values = K[..., begin : begin + bk, :], V[..., begin : begin + bk, :]
        for top in range(0, Q.shape[-2], bq):
            place = (..., slice(top, top + bq))
            scores = np.einsum("...id,...jd->...ij", Q[(*place, slice(None))], keys) * Q.shape[-1] ** -0.5
            if causal:
                rows, columns = top + np.arange(scores.shape[-2]), begin + np.arange(scores.shape[-1])
                scores = scores + np.where(columns > rows[:, np.newaxis], -np.inf, 0.0)
            largest = np.maximum(scores.max(axis=-1), -1e300)  # a row that may use nothing here has no finite score
            weights = np.exp(scores - largest[..., np.newaxis])
            with np.errstate(divide="ignore"):
                part = largest + np.log(weights.sum(axis=-1))
            both = np.logaddexp(LSE[place], part)
            mine, other = np.exp(LSE[place] - both), np.exp(largest - both)
            O[(*place, slice(None))] = mine[..., np.newaxis] * O[(*place, slice(None))]
            O[(*place, slice(None))] += other[..., np.newaxis] * (weights @ values)
            LSE[place] = both
    return O, LSE


STYLES = {"definition": by_definition, "tiles": by_tiles, "keys outside": by_keys_outside}
