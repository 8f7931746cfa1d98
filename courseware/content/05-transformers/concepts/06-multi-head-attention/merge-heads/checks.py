"""The checks of `merge_heads`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Sizes are all different, because equal sizes hide exchanged axes; one call with equal sizes then
shows the forms in which an exchange goes unnoticed.
"""

import numpy as np

from grader.judge.checking import (
    equal_hold,
    forms_hold,
    inputs_hold,
    one_row_changes,
    places_hold,
    repeat_holds,
    values_of,
)
from grader.judge.drawing import counted, distinct_sizes, leading_in_words
from grader.judge.probing import Call
from grader.sandbox.wire import Layout

VALUES = ("plain", "batch", "two leading axes", "one token", "columns of one", "equal sizes")


def calls(random):
    """Return the calls of one draw by name."""
    heads, tokens, width = distinct_sizes(random, 3)

    def drawn(*leading, heads=heads, tokens=tokens, width=width):
        return random.standard_normal((*leading, heads, tokens, width))

    y = drawn()
    columns = width * np.arange(heads)[:, np.newaxis, np.newaxis] + np.arange(width)
    labels = 100.0 * np.arange(tokens)[:, np.newaxis] + columns
    changed = y.copy()
    changed[:, random.integers(tokens)] += 1.0
    return {
        "plain": _call(y),
        "again": _call(y),
        "labels": _call(labels),
        "token changed": _call(changed, words=", one token changed"),
        "batch": _call(drawn(2), Layout.STRIDED),
        "two leading axes": _call(drawn(2, 9), Layout.FORTRAN),
        "one token": _call(drawn(tokens=1)),
        "columns of one": _call(drawn(width=1)),
        "equal sizes": _call(drawn(4, heads=4, tokens=4, width=4)),
        "one head": _call(drawn(heads=1)),
    }


def labels(draw):
    """Each number is 100 times its token plus the column that it belongs to, so a wrong place can be told in words."""
    width = draw["labels"].call.inputs[0].shape[-1]

    def origin(label):
        head, column = divmod(label % 100, width)
        return f"the number of head {head}, token {label // 100}, column {column}"

    return places_hold(draw, place=lambda token, column: f"in row {token}, column {column}", origin=origin)


def one_head(draw):
    probe = draw["one head"]
    return equal_hold(probe, probe.finite_output(), probe.expected, draw.tolerance, "the table of that head")


CHECKS = {
    "shape": forms_hold,
    "values": values_of(*VALUES),
    "labels": labels,
    "locality": one_row_changes(
        "token changed", "the row of token {token} changed, and no other", "{count} rows changed"
    ),
    "one-head": one_head,
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _call(y, layout=Layout.PLAIN, *, words=""):
    heads, tokens, width = y.shape[-3:]
    sizes = f"{leading_in_words(y, axes=3)}{counted(heads, 'head')}, {counted(tokens, 'token')}, width {width}"
    return Call((y,), f"{sizes} in each head{words}", layout)
