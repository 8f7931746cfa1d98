"""Correct programs for `rotary_attention`, in styles that learners use. The first one is the reference.

They are written with NumPy in float64: the judge compares what a learner's tensors hold and never loads PyTorch itself.

Shapes:  q, k float64[..., tokens, width]; v float64[..., tokens, value_width]; positions float64[tokens];
         result float64[..., tokens, value_width]
Units:   angles in radians
Limits:  the width is even; pairs are neighbouring columns; the largest score of each row is subtracted first
Source:  Su et al. 2021, "RoFormer: enhanced Transformer with rotary position embedding", section 3.2.2
"""

import numpy as np


def by_turning(q, k, v, positions, base=10000.0):
    angles = positions[:, np.newaxis] * _speeds(q.shape[-1], base)
    return _mixed(_turned(q, angles) @ np.swapaxes(_turned(k, angles), -1, -2) / np.sqrt(q.shape[-1]), v)


def by_complex_numbers(q, k, v, positions, base=10000.0):
    """The real part of one number times the conjugate of another is the product of two pairs."""
    turn = np.exp(1j * positions[:, np.newaxis] * _speeds(q.shape[-1], base))
    queries, keys = ((each[..., 0::2] + 1j * each[..., 1::2]) * turn for each in (q, k))
    scores = (queries @ np.swapaxes(keys.conj(), -1, -2)).real * q.shape[-1] ** -0.5
    return _mixed(scores, v)


def by_distances(q, k, v, positions, base=10000.0):
    """Only the difference of two positions enters, so nothing needs to be turned before the comparison."""
    apart = (positions[:, np.newaxis] - positions)[..., np.newaxis] * _speeds(q.shape[-1], base)
    even = np.einsum("...ip,...jp->...ijp", q[..., 0::2], k[..., 0::2])
    even = even + np.einsum("...ip,...jp->...ijp", q[..., 1::2], k[..., 1::2])
    cross = np.einsum("...ip,...jp->...ijp", q[..., 0::2], k[..., 1::2])
    cross = cross - np.einsum("...ip,...jp->...ijp", q[..., 1::2], k[..., 0::2])
    scores = (even * np.cos(apart) + cross * np.sin(apart)).sum(axis=-1)
    return _mixed(scores / np.sqrt(q.shape[-1]), v)


def _speeds(width, base):
    return base ** (-np.arange(0, width, 2) / width)


def _turned(x, angles):
    result = np.empty_like(x)
    result[..., 0::2] = x[..., 0::2] * np.cos(angles) - x[..., 1::2] * np.sin(angles)
    result[..., 1::2] = x[..., 0::2] * np.sin(angles) + x[..., 1::2] * np.cos(angles)
    return result


def _mixed(scores, v):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


STYLES = {"turning": by_turning, "complex numbers": by_complex_numbers, "distances": by_distances}
