"""The checks of `rotary_attention`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Sizes are all different, because equal sizes hide exchanged axes. Positions that count from 1
instead of 0 give the same output, since only distances enter, so nothing is said against them here.
"""

import numpy as np

from grader.judge.checking import dtypes_hold, forms_hold, inputs_hold, repeat_holds, same_as, sums_between, values_of
from grader.judge.drawing import tokens_in_words
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


CHECKS = {
    "shape": forms_hold,
    "dtype": dtypes_hold,
    "values": values_of(*VALUES),
    "positions": values_of(*POSITIONS),
    "base": values_of("base"),
    "sums": sums_between("token"),
    "moved": same_as("plain", "moved", "the same as at the first positions"),
    "order": same_as(
        "any order", "reordered", "the same rows in that order", turned=lambda rows: np.roll(rows, 1, axis=-2)
    ),
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _call(inputs, positions, *base, layout=Layout.PLAIN, words=""):
    return Call((*inputs, positions, *base), tokens_in_words(inputs[0]) + words, layout, is_further=bool(base))
