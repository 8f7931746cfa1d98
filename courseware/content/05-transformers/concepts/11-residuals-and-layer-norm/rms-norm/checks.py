"""The checks of `rms_norm`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Sizes are all different, because equal sizes hide exchanged axes. On numbers of an ordinary size
eps changes the sixth digit at most, so it is tried where it matters: with a large eps, and on rows of small numbers.
"""

import numpy as np

from grader.judge.checking import (
    Finding,
    dtypes_hold,
    first_row_stays,
    forms_hold,
    inputs_hold,
    repeat_holds,
    values_of,
)
from grader.judge.drawing import distinct_sizes, tokens_in_words
from grader.judge.probing import Call
from grader.judge.wording import row
from grader.sandbox.wire import Layout

SMALL = 3e-4  # the mean square is then a tenth of eps, so where eps stands decides the outcome
VALUES = ("plain", "batch", "two leading axes", "one token", "one column", "square")
STANDARD = 1e-4  # eps = 0.000001 beside a mean square above 0.2 is far below


def calls(random):
    """Return the calls of one draw by name."""
    batch, tokens, width = distinct_sizes(random, 3)

    def given(*shape, spread=1.0):
        # A mean that is not 0 shows who subtracts it.
        x = spread * random.standard_normal(shape) + spread * random.uniform(0.5, 1.5)
        return x, random.uniform(0.5, 2.0, shape[-1])

    x, g = given(tokens, width)
    others = np.concatenate([x[:1], random.standard_normal((tokens - 1, width)) * 50])
    return {
        "plain": _call((x, g)),
        "again": _call((x, g)),
        "batch": _call(given(batch, tokens, width), layout=Layout.STRIDED),
        "two leading axes": _call(given(2, batch, tokens, width), layout=Layout.FORTRAN),
        "one token": _call(given(1, width)),
        "one column": _call(given(tokens, 1)),
        "square": _call(given(4, 4)),
        "standard": _call((x, np.ones(width)), words=", a gain of 1"),
        "other tokens": _call((others, g), words=", all tokens but the first changed"),
        "large eps": _call((*given(tokens, width), 0.5), words=", eps 0.5"),
        "small": _call(given(tokens, width, spread=SMALL), words=", very small numbers"),
        "zeros": _call((np.zeros((tokens, width)), g), words=", all numbers 0"),
    }


def standard(draw):
    probe = draw["standard"]
    squares = (probe.finite_output().astype(np.float64) ** 2).mean(axis=-1)
    if np.abs(squares - 1.0).max() <= STANDARD:
        return Finding(True)
    return Finding(False, "a mean square of 1.00 for each token", row(squares), tried_with=probe.tried_with)


CHECKS = {
    "shape": forms_hold,
    "dtype": dtypes_hold,
    "values": values_of(*VALUES),
    "standard": standard,
    "tokens": first_row_stays("plain", "other tokens"),
    "epsilon": values_of("large eps", "small"),
    "zeros": values_of("zeros"),
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _call(inputs, *, layout=Layout.PLAIN, words=""):
    return Call(inputs, tokens_in_words(inputs[0]) + words, layout)
