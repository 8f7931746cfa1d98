"""Comparing numbers with numbers: how far apart, and is that near enough. Knows neither guests nor checks."""

from dataclasses import dataclass

import numpy as np

from grader.exercises import Tolerance
from grader.judge.arrays import Floats, Numbers


@dataclass(frozen=True)
class Comparison:
    """How an output compares with what was expected, number by number."""

    holds: bool
    is_single_precision: bool  # it holds, but only as well as float32 can
    largest_difference: float | None  # None where a number is not finite
    differing: int  # how many numbers are outside the tolerance
    total: int


def compare(got: Numbers, expected: Floats, tolerance: Tolerance) -> Comparison:
    """Return how `got` compares with `expected`; both have the same shape and `expected` is finite.

    Errors:  ValueError if the shapes differ, which the caller must have reported before, since NumPy would broadcast
    Source:  two steps, full precision and single precision, because a program that computes in float32 has the idea
             right; no known-wrong variant comes within a hundred times the second
    """
    if got.shape != expected.shape:
        raise ValueError(f"shapes differ: {got.shape} and {expected.shape}")
    if not np.isfinite(expected).all():
        raise ValueError("the reference gave a number that is not finite")
    values = got.astype(np.float64)
    if not np.isfinite(values).all():
        return Comparison(False, False, None, int((~np.isfinite(values)).sum()), values.size)
    difference = np.abs(values - expected)
    largest = float(difference.max(initial=0.0))
    outside = difference > tolerance.absolute + tolerance.relative * np.abs(expected)
    if not outside.any():
        return Comparison(True, False, largest, 0, values.size)
    outside_single = difference > tolerance.single_precision * np.maximum(1.0, np.abs(expected))
    is_single = not outside_single.any()
    return Comparison(is_single, is_single, largest, int(outside.sum()), values.size)


def not_finite(got: Numbers) -> str:
    """Return what in an array is not a finite number, in words; "" where all of it is."""
    values = got.astype(np.float64)
    parts = []
    if nans := int(np.isnan(values).sum()):
        parts.append(f"NaN in {nans} of {values.size} numbers")
    if infinite := int(np.isinf(values).sum()):
        parts.append(f"infinity in {infinite} of {values.size} numbers")
    return " and ".join(parts)


def is_real(got: Numbers) -> bool:
    """Say whether an array holds real numbers; a complex one would lose its imaginary part silently."""
    return got.dtype.kind in "fiub"
