"""The checks of `rotary_attention`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Sizes are all different, because equal sizes hide exchanged axes. Positions that count from 1
instead of 0 give the same output, since only distances enter, so nothing is said against them here.
"""

import numpy as np

from grader.judge.checking import (
    Finding,
    dtypes_hold,
    equal_hold,
    forms_hold,
    inputs_hold,
    repeat_holds,
    values_hold,
)
from grader.judge.probing import Call
from grader.sandbox.wire import Layout

VALUES = ("plain", "batch", "two leading axes", "one token", "one pair", "square")
POSITIONS = ("any order", "not whole")


def calls(random):
    """Return the calls of one draw by name."""
    tokens = int(random.choice([3, 5, 7]))
    width, value_width = (int(each) for each in random.permutation([4, 6, 8])[:2])
    counted = np.arange(tokens) * 1.0

    def given(*leading, tokens=tokens, width=width, value_width=value_width):
        return tuple(random.standard_normal((*leading, tokens, columns)) for columns in (width, width, value_width))

    q, k, v = given()
    mixed = random.permutation(np.arange(2, 40))[:tokens] * 1.0
    order = np.roll(np.arange(tokens), 1)
    return {
        "plain": _call((q, k, v), counted),
        "again": _call((q, k, v), counted),
        "batch": _call(given(2), counted, layout=Layout.STRIDED),
        "two leading axes": _call(given(2, 9), counted, layout=Layout.FORTRAN),
        "one token": _call(given(tokens=1), np.array([3.0])),
        "one pair": _call(given(width=2), counted),
        "square": _call(given(tokens=4, width=4, value_width=4), np.arange(4) * 1.0),
        "ones": _call((q, k, np.ones((tokens, 2))), counted, words=", values of 1"),
        "any order": _call((q, k, v), mixed, words=", positions in any order"),
        "not whole": _call(given(2), mixed / 4, words=", positions that are not whole"),
        "reordered": _call((q[order], k[order], v[order]), mixed[order], words=", tokens in another order"),
        "moved": _call((q, k, v), counted + 17.0, words=", every position 17 further"),
        "base": _call(given(), mixed, 50.0, words=", base 50"),
    }


def shape(draw):
    return forms_hold(draw)


def dtype(draw):
    return dtypes_hold(draw, "float64")


def values(draw):
    return values_hold([draw[name] for name in VALUES], draw.tolerance)


def positions(draw):
    return values_hold([draw[name] for name in POSITIONS], draw.tolerance)


def base(draw):
    return values_hold([draw["base"]], draw.tolerance)


def sums(draw):
    probe = draw["ones"]
    found = values_hold([probe], draw.tolerance)
    if found.holds:
        return found
    output = probe.finite_output()
    got = f"sums from {output.min():.2f} to {output.max():.2f}"
    return Finding(False, "a sum of 1 for each token", got, found.largest_difference, probe.tried_with)


def moved(draw):
    probe, plain = draw["moved"], draw["plain"].finite_output()
    return equal_hold(probe, probe.finite_output(), plain, draw.tolerance, "the same as at the first positions")


def order(draw):
    probe, before = draw["reordered"], draw["any order"].finite_output()
    return equal_hold(
        probe, probe.finite_output(), np.roll(before, 1, axis=-2), draw.tolerance, "the same rows in that order"
    )


def unchanged(draw):
    return inputs_hold(draw)


def repeatable(draw):
    return repeat_holds(draw["plain"], draw["again"])


CHECKS = {
    "shape": shape,
    "dtype": dtype,
    "values": values,
    "positions": positions,
    "base": base,
    "sums": sums,
    "moved": moved,
    "order": order,
    "unchanged": unchanged,
    "repeatable": repeatable,
}


def _call(inputs, positions, *base, layout=Layout.PLAIN, words=""):
    *leading, tokens, width = inputs[0].shape
    before = "".join(f"{size} × " for size in leading)
    sizes = f"{before}{tokens} {'token' if tokens == 1 else 'tokens'}, width {width}"
    return Call((*inputs, positions, *base), sizes + words, layout, is_further=bool(base))
