"""Correct programs for `sinusoidal_positions`, in styles that learners use. The first one is the reference.

Shapes:  T from 1; d even, from 2; base above 1; result float64[T, d]
Units:   angles in radians
Source:  Vaswani et al. 2017, "Attention is all you need", section 3.5
"""

import math

import numpy as np


def by_slices(T, d, base=10000):
    angles = np.arange(T)[:, np.newaxis] * float(base) ** (-np.arange(0, d, 2) / d)
    table = np.empty((T, d))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


def by_stacking(T, d, base=10000):
    angles = np.outer(np.arange(T), np.exp(-math.log(base) * np.arange(d // 2) * 2 / d))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, d)


def by_loops(T, d, base=10000):
    table = np.zeros((T, d))
    for position in range(T):
        for pair in range(d // 2):
            angle = position / base ** (2 * pair / d)
            table[position, 2 * pair] = math.sin(angle)
            table[position, 2 * pair + 1] = math.cos(angle)
    return table


def by_complex_numbers(T, d, base=10000):
    """Each pair is a number on the unit circle; its powers are the positions."""
    turned = np.exp(1j * np.arange(T)[:, None] / base ** (2 * np.arange(d // 2) / d))
    return np.column_stack([part for pair in turned.T for part in (pair.imag, pair.real)])


STYLES = {"slices": by_slices, "stacking": by_stacking, "loops": by_loops, "complex numbers": by_complex_numbers}
