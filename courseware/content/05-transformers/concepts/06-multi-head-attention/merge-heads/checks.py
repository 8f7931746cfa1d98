"""The checks of `merge_heads`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Sizes are all different, because equal sizes hide exchanged axes; one call with equal sizes then
shows the forms in which an exchange goes unnoticed.
"""

import numpy as np

from grader.judge.checking import HOLDS, Finding, equal_hold, forms_hold, inputs_hold, repeat_holds, values_hold
from grader.judge.probing import Call, distinct_sizes
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


def shape(draw):
    return forms_hold(draw)


def values(draw):
    return values_hold([draw[name] for name in VALUES], draw.tolerance)


def labels(draw):
    """Each number is 100 times its token plus the column that it belongs to, so a wrong place can be told in words."""
    probe = draw["labels"]
    output, expected = np.round(probe.finite_output()), probe.expected
    if np.array_equal(output, expected):
        return HOLDS
    token, column = np.argwhere(output != expected)[0]
    heads, _, width = probe.call.inputs[0].shape
    return Finding(
        holds=False,
        expected=f"in row {token}, column {column}: {_origin(expected[token, column], heads, width)}",
        got=_origin(output[token, column], heads, width),
        tried_with=probe.tried_with,
    )


def locality(draw):
    probe, plain = draw["token changed"], draw["plain"]
    token = np.flatnonzero((probe.call.inputs[0] != plain.call.inputs[0]).any(axis=(0, 2)))[0]
    moved = (probe.finite_output() != plain.finite_output()).any(axis=-1)
    if np.array_equal(np.flatnonzero(moved), [token]):
        return HOLDS
    got = f"{int(moved.sum())} rows changed"
    return Finding(False, f"the row of token {token} changed, and no other", got, None, probe.tried_with)


def one_head(draw):
    probe = draw["one head"]
    return equal_hold(probe, probe.finite_output(), probe.expected, draw.tolerance, "the table of that head")


def unchanged(draw):
    return inputs_hold(draw)


def repeatable(draw):
    return repeat_holds(draw["plain"], draw["again"])


CHECKS = {
    "shape": shape,
    "values": values,
    "labels": labels,
    "locality": locality,
    "one-head": one_head,
    "unchanged": unchanged,
    "repeatable": repeatable,
}


def _origin(label, heads, width):
    token, column = divmod(int(label), 100)
    if not 0 <= column < heads * width:
        return "no number that came in"
    return f"the number of head {column // width}, token {token}, column {column % width}"


def _call(y, layout=Layout.PLAIN, *, words=""):
    leading = "".join(f"{size} × " for size in y.shape[:-3])
    heads, tokens, width = y.shape[-3:]
    counted = f"{heads} {'head' if heads == 1 else 'heads'}, {tokens} {'token' if tokens == 1 else 'tokens'}"
    return Call((y,), f"{leading}{counted}, width {width} in each head{words}", layout)
