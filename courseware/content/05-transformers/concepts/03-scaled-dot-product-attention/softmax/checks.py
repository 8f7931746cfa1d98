"""The checks of `softmax`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Sizes are all different, because equal sizes hide a lost axis; a few cubes then show the form
in which the loss goes unnoticed.
"""

from functools import partial

import numpy as np

from grader.exercises import Tolerance
from grader.judge.checking import (
    HOLDS,
    Finding,
    equal_hold,
    extremes_of,
    forms_hold,
    inputs_hold,
    repeat_holds,
    same_as,
    values_of,
)
from grader.judge.drawing import distinct_sizes
from grader.judge.probing import Call
from grader.judge.wording import in_words, row, short
from grader.sandbox.wire import Layout

WEIGHTS_PROBE = "scores"

FAR = 1000.0  # exp overflows above 709 in float64 and above 88 in float32, and below -745 it is 0
# A number of 1000 has an error of about 6e-5 in float32, and so have the exponentials of differences.
LARGE_TOLERANCE = Tolerance(relative=1e-9, absolute=1e-10, single_precision=1e-3, reason="rounding of large numbers")

LAST_AXIS = ("plain", "vector", "one row", "one column", "three axes", "four axes", "square", "cube", "scores")
OTHER_AXES = (
    "first",
    "first of three",
    "middle",
    "second last",
    "first from the end",
    "last by number",
    "cube, middle",
)
_extremes_of = partial(extremes_of, tolerance=LARGE_TOLERANCE, ordinary=(*LAST_AXIS, *OTHER_AXES))


def calls(random):
    """Return the calls of one draw by name."""
    few, some, many = sorted(distinct_sizes(random, 3))

    def drawn(*shape):
        return random.standard_normal(shape)

    x = drawn(some, many)
    shifts = random.uniform(1.0, 10.0, (some, 1))  # more would cost float32 the digits that are compared
    hidden = _hidden(random, drawn(many, some))
    return {
        "plain": _call(x),
        "again": _call(x),
        "shifted": _call(x + shifts),
        "vector": _call(drawn(few)),
        "one row": _call(drawn(1, some)),
        "one column": _call(drawn(few, 1)),
        "three axes": _call(drawn(few, many, some), layout=Layout.STRIDED),
        "four axes": _call(drawn(2, few, 9, some), layout=Layout.FORTRAN),
        "square": _call(drawn(4, 4)),
        "cube": _call(drawn(4, 4, 4)),
        "scores": Call((drawn(4, 5),), "scores of 4 queries and 5 keys"),
        "first": _call(drawn(many, few), 0),
        "first of three": _call(drawn(some, few, many), 0, layout=Layout.STRIDED),
        "middle": _call(drawn(many, some, few), 1),
        "second last": _call(drawn(few, some, many), -2, layout=Layout.FORTRAN),
        "first from the end": _call(drawn(some, many, few), -3),
        "last by number": _call(drawn(many, few, some), 2),
        "cube, middle": _call(drawn(4, 4, 4), 1),
        "hidden": _call(hidden, is_extreme=True, with_words="some of minus infinity"),
        "hidden, first": _call(hidden.T.copy(), 0, is_extreme=True, with_words="some of minus infinity"),
        "large": _call(drawn(some, many) + FAR, is_extreme=True, with_words="around 1000"),
        "very negative": _call(drawn(many, some) - FAR, is_extreme=True, with_words="around -1000"),
        "far apart": _call(_far_apart(drawn(some, few)), is_extreme=True, with_words="rows that lie 1000 apart"),
        "wide": _call(_wide(random, few, many), is_extreme=True, with_words="from -1000 to 1000 in each row"),
        "wide, first": _call(_wide(random, few, some).T.copy(), 0, is_extreme=True, with_words="from -1000 to 1000"),
    }


def sums(draw):
    probe = draw["plain"]
    totals = probe.finite_output().sum(axis=-1)
    found = equal_hold(probe, totals, np.ones(len(totals)), draw.tolerance, "")
    if found.holds:
        return found
    return Finding(
        holds=False,
        expected=f"1.00 for each of the {len(totals)} rows",
        got=row(totals),
        largest_difference=found.largest_difference,
        tried_with=probe.tried_with,
    )


def order(draw):
    probe = draw["plain"]
    output, x = probe.finite_output(), probe.call.inputs[0]
    rising = np.take_along_axis(output, np.argsort(x, axis=-1), axis=-1)
    falls = -np.diff(rising, axis=-1)
    wrong = int((falls > draw.tolerance.single_precision).sum())
    if not wrong:
        return HOLDS
    return Finding(
        holds=False,
        expected="a larger result wherever the number is larger",
        got=f"{wrong} of {falls.size} neighbours in order of size the other way round, by up to {short(falls.max())}",
        largest_difference=float(falls.max()),
        tried_with=probe.tried_with,
    )


def minus_infinity(draw):
    for name in ("hidden", "hidden, first"):
        probe = draw[name]
        output, hidden = probe.finite_output(), np.isneginf(probe.call.inputs[0])
        above = int((output[hidden] != 0).sum())
        if above:
            most = short(np.abs(output[hidden]).max())
            got = f"{above} of {int(hidden.sum())} such numbers are not 0, by up to {most}"
            return Finding(False, "exactly 0 for each minus infinity", got, None, probe.tried_with)
    return _extremes_of("hidden", "hidden, first")(draw)


CHECKS = {
    "shape": forms_hold,
    "values": values_of(*LAST_AXIS),
    "axes": values_of(*OTHER_AXES),
    "sums": sums,
    "shift": same_as("plain", "shifted", "the same output as before"),
    "order": order,
    "minus-infinity": minus_infinity,
    "large": _extremes_of("large", "very negative", "far apart", "wide", "wide, first"),
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _call(x, *axis, layout=Layout.PLAIN, is_extreme=False, with_words=""):
    words = f"shape {in_words(x.shape)}" + (f", axis {axis[0]}" if axis else "")
    return Call(
        (x, *axis),
        f"{words}, {with_words}" if with_words else words,
        layout,
        is_extreme=is_extreme,
        is_further=bool(axis),
    )


def _hidden(random, x):
    """Return x, longer than wide, with about a third of its numbers at minus infinity, but no whole row or column."""
    hidden = random.random(x.shape) < 1 / 3
    hidden[0, 1] = True
    hidden[np.arange(len(x)), np.arange(len(x)) % x.shape[1]] = False
    return np.where(hidden, -np.inf, x)


def _far_apart(x):
    return x - FAR * (np.arange(len(x)) % 2)[:, np.newaxis]


def _wide(random, rows, columns):
    numbers = np.linspace(-FAR, FAR, columns) + random.standard_normal((rows, columns))
    return random.permuted(numbers, axis=-1)
