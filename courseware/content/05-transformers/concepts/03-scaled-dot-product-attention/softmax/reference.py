"""Correct programs for `softmax`, in styles that learners use. The first one is the reference.

Shapes:  x float64, at least one axis, none of them empty; result of the same shape
Limits:  stable for any finite number; minus infinity becomes exactly 0; the largest number along the axis is subtracted
         first, which changes numerator and denominator by one factor
Source:  Goodfellow, Bengio & Courville 2016, "Deep Learning", section 4.1
"""

import math

import numpy as np


def by_shifting(x, axis=-1):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def by_moving_the_axis(x, axis=-1):
    rows = np.moveaxis(x, axis, -1)
    exponentials = np.exp(rows - rows.max(axis=-1)[..., np.newaxis])
    return np.moveaxis(exponentials / exponentials.sum(axis=-1)[..., np.newaxis], -1, axis)


def by_logarithms(x, axis=-1):
    """The normaliser is subtracted as a logarithm, so nothing is ever divided."""
    return np.exp(x - np.expand_dims(np.logaddexp.reduce(x, axis=axis), axis))


def by_lines(x, axis=-1):
    return np.apply_along_axis(_line, axis, x)


def _line(numbers):
    highest = max(numbers)
    exponentials = [math.exp(number - highest) for number in numbers]
    return np.array(exponentials) / math.fsum(exponentials)


STYLES = {
    "shifting": by_shifting,
    "moving the axis": by_moving_the_axis,
    "logarithms": by_logarithms,
    "lines": by_lines,
}
