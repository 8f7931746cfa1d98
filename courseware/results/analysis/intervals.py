"""How far a facility may be from that of all learners to come: 95 % intervals. Pure."""

from collections.abc import Sequence
from math import sqrt

from courseware.results.analysis.moments import mean, variance

Z = 1.959963985  # the normal quantile of 97.5 %
# Student's quantiles of 97.5 % for 1 to 10 degrees of freedom; from 11 on the expansion below is right to 0.001.
_STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)


def wilson(right: int, n: int) -> tuple[float, float]:
    """Return the interval of a share of right answers; it never leaves 0 to 1, however few there are.

    Source:  Wilson 1927, J. Am. Stat. Assoc. 22, 209-212
    """
    share, square = right / n, Z * Z
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = Z * sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
    return max(0.0, centre - half), min(1.0, centre + half)


def student(shares: Sequence[float]) -> tuple[float, float] | None:
    """Return the interval of a mean share with partial credit; None for a single learner."""
    spread = variance(shares, scale=1)
    if spread is None:
        return None
    middle, half = mean(shares), _quantile(len(shares) - 1) * sqrt(spread / len(shares))
    return middle - half, middle + half


def interval(shares: Sequence[float]) -> tuple[float, float] | None:
    """Return the interval that fits: Wilson's where everything is right or wrong, else Student's."""
    if all(share in (0, 1) for share in shares):
        return wilson(sum(share == 1 for share in shares), len(shares))
    return student(shares)


def _quantile(freedom: int) -> float:
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    return Z + (Z**3 + Z) / (4 * freedom) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * freedom**2)
