"""Correct programs for `grouped_query_attention`, in styles that learners use. The first one is the reference.

They are written with NumPy in float64: the judge compares what a learner's tensors hold and never loads PyTorch itself.

Shapes:  q float64[..., query_heads, queries, width]; k float64[..., key_heads, keys, width];
         v float64[..., key_heads, keys, value_width]; result float64[..., query_heads, queries, value_width]
Limits:  key_heads divides query_heads; the largest score of each row is subtracted first
Source:  Ainslie et al. 2023, "GQA: training generalized multi-query Transformer models", section 2.2
"""

import numpy as np


def by_groups(q, k, v):
    """The query heads of a group get an axis of their own, so nothing is copied."""
    *leading, heads, queries, width = q.shape
    grouped = q.reshape(*leading, k.shape[-3], heads // k.shape[-3] * queries, width)
    scores = grouped @ np.swapaxes(k, -1, -2) / np.sqrt(width)
    return (_softmax(scores) @ v).reshape(*leading, heads, queries, v.shape[-1])


def by_repeating(q, k, v):
    times = q.shape[-3] // k.shape[-3]
    k, v = np.repeat(k, times, axis=-3), np.repeat(v, times, axis=-3)
    return _softmax(q @ np.swapaxes(k, -1, -2) * q.shape[-1] ** -0.5) @ v


def by_einsum(q, k, v):
    *leading, heads, queries, width = q.shape
    grouped = q.reshape(*leading, k.shape[-3], -1, queries, width)
    weights = _softmax(np.einsum("...grid,...gjd->...grij", grouped, k) / np.sqrt(width))
    return np.einsum("...grij,...gjv->...griv", weights, v).reshape(*leading, heads, queries, v.shape[-1])


def by_heads_in_turn(q, k, v):
    times = q.shape[-3] // k.shape[-3]
    heads = [
        _softmax(q[..., head, :, :] @ np.swapaxes(k[..., head // times, :, :], -1, -2) / np.sqrt(q.shape[-1]))
        @ v[..., head // times, :, :]
        for head in range(q.shape[-3])
    ]
    return np.stack(heads, axis=-3)


def _softmax(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


STYLES = {"groups": by_groups, "repeating": by_repeating, "einsum": by_einsum, "heads in turn": by_heads_in_turn}
