"""Spread, covariance and shape of lists of scores; None where a figure is not defined, never 0 in its place. Pure.

All variances divide by one less than the number of scores, since a cohort stands for the learners to come.
"""

from collections.abc import Sequence
from math import sqrt
from operator import mul

# Sums of floats that are equal on paper differ by some 1e-17 of their size: a spread below this share is none.
NOISE = 1e-12


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def median(values: Sequence[float]) -> float:
    ordered, middle = sorted(values), len(values) // 2
    return ordered[middle] if len(values) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def deviations(values: Sequence[float]) -> list[float]:
    middle = mean(values)
    return [value - middle for value in values]


def covariance(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return the covariance of two lists of deviations from their means; None for fewer than two."""
    return sum(map(mul, one, other)) / (len(one) - 1) if len(one) > 1 else None


def variance(values: Sequence[float], *, scale: float) -> float | None:
    """Return the variance, exactly 0 where only rounding differs; `scale` is the largest score that can be had."""
    if len(values) < 2:
        return None
    off = deviations(values)
    found = sum(map(mul, off, off)) / (len(values) - 1)
    return found if found > NOISE * scale * scale else 0.0


def correlation(one: Sequence[float], other: Sequence[float], *, scales: tuple[float, float]) -> float | None:
    """Return Pearson's correlation; None where either does not vary."""
    spread, other_spread = variance(one, scale=scales[0]), variance(other, scale=scales[1])
    if not spread or not other_spread:
        return None
    shared = covariance(deviations(one), deviations(other))
    assert shared is not None
    return shared / sqrt(spread * other_spread)


def skewness(values: Sequence[float], *, scale: float) -> float | None:
    """Return G1, the ratio of k-statistics; None for fewer than three scores, or equal ones.

    Source:  Joanes & Gill 1998, The Statistician 47, 183-189
    """
    n, spread = len(values), variance(values, scale=scale)
    if n < 3 or not spread:
        return None
    third = sum(off**3 for off in deviations(values))
    return n * third / ((n - 1) * (n - 2) * spread * sqrt(spread))


def kurtosis(values: Sequence[float], *, scale: float) -> float | None:
    """Return G2, 0 for a normal distribution; None for fewer than four scores, or equal ones.

    Source:  Joanes & Gill 1998
    """
    n, spread = len(values), variance(values, scale=scale)
    if n < 4 or not spread:
        return None
    fourth = sum(off**4 for off in deviations(values)) / spread**2
    return (n * (n + 1) * fourth / (n - 1) - 3 * (n - 1) ** 2) / ((n - 2) * (n - 3))
