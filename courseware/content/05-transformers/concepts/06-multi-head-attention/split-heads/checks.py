"""The checks of `split_heads`: which calls are made in one draw, and what must be true of the answers.

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


def shape(draw):
    return forms_hold(draw)


def values(draw):
    return values_hold([draw[name] for name in VALUES], draw.tolerance)


def labels(draw):
    """Each number is 100 times its token plus its column, so a wrong place can be told in words."""
    probe = draw["labels"]
    output, expected = np.round(probe.finite_output()), probe.expected
    if np.array_equal(output, expected):
        return HOLDS
    head, token, column = np.argwhere(output != expected)[0]
    return Finding(
        holds=False,
        expected=f"in head {head}, token {token}, column {column}: {_origin(expected[head, token, column])}",
        got=_origin(output[head, token, column]),
        tried_with=probe.tried_with,
    )


def locality(draw):
    probe, plain = draw["token changed"], draw["plain"]
    token = np.flatnonzero((probe.call.inputs[0] != plain.call.inputs[0]).any(axis=-1))[0]
    moved = (probe.finite_output() != plain.finite_output()).any(axis=(-3, -1))
    if np.array_equal(np.flatnonzero(moved), [token]):
        return HOLDS
    got = f"rows of {int(moved.sum())} tokens changed"
    return Finding(False, f"in every head the row of token {token} changed, and no other", got, None, probe.tried_with)


def one_head(draw):
    probe = draw["one head"]
    return equal_hold(probe, probe.finite_output(), probe.expected, draw.tolerance, "the table that came in")


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


def _origin(label):
    return f"the number of token {int(label) // 100}, column {int(label) % 100}"


def _call(x, heads, layout=Layout.PLAIN, *, words=""):
    leading = "".join(f"{size} × " for size in x.shape[:-2])
    tokens = f"{x.shape[-2]} {'token' if x.shape[-2] == 1 else 'tokens'}"
    return Call((x, heads), f"{leading}{tokens}, width {x.shape[-1]}, heads={heads}{words}", layout)
