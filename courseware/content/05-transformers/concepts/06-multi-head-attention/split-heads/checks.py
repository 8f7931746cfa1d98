"""The checks of `split_heads`: which calls are made in one draw, and what must be true of the answers.

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
from grader.judge.drawing import distinct_sizes, tokens_in_words
from grader.judge.probing import Call
from grader.sandbox.wire import Layout

VALUES = ("plain", "batch", "two leading axes", "one token", "columns of one", "equal sizes")


def calls(random):
    """Return the calls of one draw by name."""
    heads, tokens, width = distinct_sizes(random, 3)

    def drawn(*leading, tokens=tokens, heads=heads, width=width):
        return random.standard_normal((*leading, tokens, heads * width))

    x = drawn()
    labels = 100.0 * np.arange(tokens)[:, np.newaxis] + np.arange(heads * width)
    changed = x.copy()
    changed[random.integers(tokens)] += 1.0
    return {
        "plain": _call(x, heads),
        "again": _call(x, heads),
        "labels": _call(labels, heads),
        "token changed": _call(changed, heads, words=", one token changed"),
        "batch": _call(drawn(2), heads, Layout.STRIDED),
        "two leading axes": _call(drawn(2, 9), heads, Layout.FORTRAN),
        "one token": _call(drawn(tokens=1), heads),
        "columns of one": _call(drawn(width=1), heads),
        "equal sizes": _call(drawn(4, tokens=4, heads=4, width=4), 4),
        "one head": _call(x, 1),
    }


def labels(draw):
    """Each number is 100 times its token plus its column, so a wrong place can be told in words."""
    return places_hold(
        draw,
        place=lambda head, token, column: f"in head {head}, token {token}, column {column}",
        origin=lambda label: f"the number of token {label // 100}, column {label % 100}",
    )


def one_head(draw):
    probe = draw["one head"]
    return equal_hold(probe, probe.finite_output(), probe.expected, draw.tolerance, "the table that came in")


CHECKS = {
    "shape": forms_hold,
    "values": values_of(*VALUES),
    "labels": labels,
    "locality": one_row_changes(
        "token changed",
        "in every head the row of token {token} changed, and no other",
        "rows of {count} tokens changed",
    ),
    "one-head": one_head,
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _call(x, heads, layout=Layout.PLAIN, *, words=""):
    return Call((x, heads), f"{tokens_in_words(x)}, heads={heads}{words}", layout)
