"""The checks of `sinusoidal_positions`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Nothing is random but how many positions and columns there are, so those are drawn from many;
a width of 2 has one pair only, on which no mistake in an exponent shows.
"""

import numpy as np

from grader.judge.checking import HOLDS, Finding, equal_hold, forms_hold, repeat_holds, values_of
from grader.judge.probing import Call
from grader.judge.wording import row, short

# An angle of 60 has an error of about 4e-6 in float32, which the tolerance for that still admits.
LONGEST = 60

VALUES = ("plain", "other", "square", "long", "narrow", "one position")
BASES = ("small base", "base of 100")


def calls(random):
    """Return the calls of one draw by name."""
    widths = random.permutation([4, 6, 8, 10, 12])
    lengths = 5 + random.permutation(12)
    T, d = int(lengths[0]) + 12, int(widths[0])
    return {
        "plain": _call(T, d),
        "again": _call(T, d),
        "other": _call(int(lengths[1]), int(widths[1])),
        "square": _call(int(widths[2]), int(widths[2])),
        "long": _call(LONGEST, int(widths[3])),
        "narrow": _call(int(lengths[2]), 2),
        "one position": _call(1, int(widths[4])),
        "small base": _call(int(lengths[3]), int(widths[1]), int(random.integers(3, 20))),
        "base of 100": _call(int(lengths[4]), int(widths[2]), 100),
    }


def first_row(draw):
    probe = draw["plain"]
    output = probe.finite_output()
    found = equal_hold(probe, output[0], probe.expected[0], draw.tolerance, "0 and 1 in turn")
    if found.holds:
        return found
    return Finding(False, found.expected, row(output[0]), found.largest_difference, probe.tried_with)


def circle(draw):
    probe = draw["plain"]
    lengths = (probe.finite_output().reshape(len(probe.expected), -1, 2) ** 2).sum(axis=-1)
    return equal_hold(probe, lengths, np.ones(lengths.shape), draw.tolerance, "a sum of squares of 1 for each pair")


def distance(draw):
    """The product of two rows is a sum of cosines of their distance, whatever their places are."""
    probe = draw["plain"]
    output = probe.finite_output().astype(np.float64)
    products = output @ output.T
    spread = max(float(np.ptp(np.diagonal(products, offset))) for offset in range(len(output)))
    if spread <= draw.tolerance.absolute:
        return HOLDS
    if spread <= draw.tolerance.single_precision * output.shape[1]:
        return Finding(holds=True, is_single_precision=True)
    return Finding(
        holds=False,
        expected="the same product for all rows that are equally far apart",
        got=f"products that differ by up to {short(spread)}",
        largest_difference=spread,
        tried_with=probe.tried_with,
    )


CHECKS = {
    "shape": forms_hold,
    "values": values_of(*VALUES),
    "base": values_of(*BASES),
    "first-row": first_row,
    "circle": circle,
    "distance": distance,
    "repeatable": repeat_holds,
}


def _call(T, d, *base):
    return Call((T, d, *base), f"T={T}, d={d}" + (f", base={base[0]}" if base else ""), is_further=bool(base))
