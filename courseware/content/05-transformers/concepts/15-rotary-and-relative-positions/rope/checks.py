"""The checks of `rope`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. That lengths are kept and that products depend on distances is true of eight wrong programs too,
so values are compared besides; these properties only say in plain words what is wrong.
"""

import numpy as np

from grader.judge.checking import Finding, dtypes_hold, equal_hold, forms_hold, inputs_hold, repeat_holds, values_of
from grader.judge.drawing import tokens_in_words
from grader.judge.probing import Call
from grader.sandbox.wire import Layout

VALUES = ("plain", "batch", "two leading axes", "one token", "one pair", "square")
POSITIONS = ("not from 0", "any order", "not whole")


def calls(random):
    """Return the calls of one draw by name."""
    tokens = int(random.choice([3, 5, 7]))
    width = int(random.choice([4, 6, 8]))
    counted = np.arange(tokens) * 1.0

    def given(*shape):
        return random.standard_normal(shape)

    x = given(tokens, width)
    far = counted + float(random.integers(20, 60))
    mixed = random.permutation(np.arange(2, 40))[:tokens] * 1.0
    origin = np.concatenate([[0.0], mixed[1:]])
    return {
        "plain": _call(x, counted),
        "again": _call(x, counted),
        "batch": _call(given(2, tokens, width), counted, layout=Layout.STRIDED),
        "two leading axes": _call(given(2, 9, tokens, width), counted, layout=Layout.FORTRAN),
        "one token": _call(given(1, width), np.array([3.0])),
        "one pair": _call(given(tokens, 2), counted),
        "square": _call(given(4, 4), np.arange(4) * 1.0),
        "not from 0": _call(given(tokens, width), far, words=", positions far from 0"),
        "any order": _call(given(2, tokens, width), mixed, words=", positions in any order"),
        "not whole": _call(given(tokens, width), mixed / 4, words=", positions that are not whole"),
        "moved": _call(x, counted + 5.0, words=", every position 5 further"),
        "origin": _call(given(tokens, width), origin, words=", the first position 0"),
        "base": _call(given(tokens, width), mixed, 50.0, words=", base 50"),
    }


def length(draw):
    probe = draw["plain"]
    before = np.linalg.norm(probe.call.inputs[0], axis=-1)
    after = np.linalg.norm(probe.finite_output().astype(np.float64), axis=-1)
    found = equal_hold(probe, after, before, draw.tolerance, "the length that each token had")
    if found.holds:
        return found
    factor = (after / before)[np.abs(after / before - 1).argmax()]
    return Finding(False, found.expected, f"one of {factor:.2f} times that", found.largest_difference, probe.tried_with)


def origin(draw):
    probe = draw["origin"]
    return equal_hold(
        probe, probe.finite_output()[0], probe.call.inputs[0][0], draw.tolerance, "the first token as it was"
    )


def distance(draw):
    before, probe = draw["plain"].finite_output(), draw["moved"]
    after = probe.finite_output()
    return equal_hold(probe, after @ after.T, before @ before.T, draw.tolerance, "the same products of any two tokens")


CHECKS = {
    "shape": forms_hold,
    "dtype": dtypes_hold,
    "values": values_of(*VALUES),
    "positions": values_of(*POSITIONS),
    "base": values_of("base"),
    "length": length,
    "origin": origin,
    "distance": distance,
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _call(x, positions, *base, layout=Layout.PLAIN, words=""):
    return Call((x, positions, *base), tokens_in_words(x) + words, layout, is_further=bool(base))
