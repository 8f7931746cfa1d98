"""Correct programs for `online_softmax_attention`, in styles that learners use. The first one is the reference.

They are written with NumPy in float64: the judge compares what a learner's tensors hold and never loads PyTorch itself.

Shapes:  Q float64[..., queries, width]; K float64[..., keys, width]; V float64[..., keys, value_width];
         result float64[..., queries, value_width]
Limits:  stable for any finite score, since the largest score so far is subtracted from each row
Source:  Milakov & Gimelshein 2018, "Online normalizer calculation for softmax"; Dao et al. 2022, "FlashAttention",
         section 3.1
"""

import numpy as np


def by_running_sums(Q, K, V, block):
    m = np.full((*Q.shape[:-1], 1), -np.inf)
    l, o = np.zeros_like(m), np.zeros((*Q.shape[:-1], V.shape[-1]))
    for begin in range(0, K.shape[-2], block):
        keys, values = K[..., begin : begin + block, :], V[..., begin : begin + block, :]
        scores = Q @ np.swapaxes(keys, -1, -2) / np.sqrt(Q.shape[-1])
        larger = np.maximum(m, scores.max(axis=-1, keepdims=True))
        weights, kept = np.exp(scores - larger), np.exp(m - larger)
        l, o, m = kept * l + weights.sum(axis=-1, keepdims=True), kept * o + weights @ values, larger
    return o / l


def by_merging_results(Q, K, V, block):
    """Each block is finished by itself; two results are merged by the logarithms of their sums."""
    result, logarithm = None, None
    for begin in range(0, K.shape[-2], block):
        keys, values = K[..., begin : begin + block, :], V[..., begin : begin + block, :]
        scores = np.einsum("...id,...jd->...ij", Q, keys) * Q.shape[-1] ** -0.5
        largest = scores.max(axis=-1, keepdims=True)
        exponentials = np.exp(scores - largest)
        total = exponentials.sum(axis=-1, keepdims=True)
        part, part_logarithm = exponentials @ values / total, np.log(total) + largest
        if result is None:
            result, logarithm = part, part_logarithm
            continue
        both = np.logaddexp(logarithm, part_logarithm)
        result = np.exp(logarithm - both) * result + np.exp(part_logarithm - both) * part
        logarithm = both
    return result


def by_queries_in_turn(Q, K, V, block):
    result = np.empty((*Q.shape[:-1], V.shape[-1]))
    for place in np.ndindex(*Q.shape[:-1]):
        m, state = -np.inf, np.zeros(V.shape[-1] + 1)  # the sum of exponentials stands in the last column
        for begin in range(0, K.shape[-2], block):
            scores = K[place[:-1]][begin : begin + block] @ Q[place] / np.sqrt(Q.shape[-1])
            values = V[place[:-1]][begin : begin + block]
            larger = max(m, scores.max())
            state = state * np.exp(m - larger) + np.exp(scores - larger) @ np.column_stack([values, np.ones(len(values))])
            m = larger
        result[place] = state[:-1] / state[-1]
    return result


STYLES = {
    "running sums": by_running_sums,
    "merging results": by_merging_results,
    "queries in turn": by_queries_in_turn,
}
