"""The checks of `grouped_query_attention`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Sizes are all different, because equal sizes hide exchanged axes. With one key head, or with as
many as query heads, no order of sharing can be wrong, so there are always calls with two and three of them.
"""

import numpy as np

from grader.judge.checking import (
    HOLDS,
    Finding,
    dtypes_hold,
    forms_hold,
    inputs_hold,
    repeat_holds,
    sums_between,
    values_of,
)
from grader.judge.drawing import counted, distinct_sizes, leading_in_words
from grader.judge.probing import Call
from grader.sandbox.wire import Layout

SHARED = ("plain", "batch", "three key heads", "two leading axes", "square")


def calls(random):
    """Return the calls of one draw by name."""
    queries, keys, width, value_width = distinct_sizes(random, 4)

    def given(*leading, heads=4, kept=2, queries=queries, keys=keys, width=width, value_width=value_width):
        return (
            random.standard_normal((*leading, heads, queries, width)) * 1.3,
            random.standard_normal((*leading, kept, keys, width)),
            random.standard_normal((*leading, kept, keys, value_width)),
        )

    q, k, v = given()
    others = [np.concatenate([each[:1], random.standard_normal(each[1:].shape)]) for each in (k, v)]
    return {
        "plain": _call((q, k, v)),
        "again": _call((q, k, v)),
        "batch": _call(given(3), layout=Layout.STRIDED),
        "three key heads": _call(given(heads=6, kept=3)),
        "two leading axes": _call(given(1, 2), layout=Layout.FORTRAN),
        "square": _call(given(2, heads=2, kept=1, queries=2, keys=2, width=2, value_width=2)),
        "one key head": _call(given(kept=1)),
        "as many": _call(given(heads=3, kept=3)),
        "one query": _call(given(queries=1)),
        "ones": _call((q, k, np.ones((2, keys, 3))), words=", values of 1"),
        "second key head changed": _call((q, *others), words=", the second key head changed"),
    }


def groups(draw):
    probe, plain = draw["second key head changed"], draw["plain"].finite_output()
    change = np.abs(probe.finite_output().astype(float) - plain.astype(float)).max(axis=(-1, -2))
    moved = [head for head, size in enumerate(change) if size > draw.tolerance.absolute]
    if moved == [2, 3]:
        return HOLDS
    got = f"heads {' and '.join(map(str, moved))} changed" if moved else "no head changed"
    return Finding(False, "changes in query heads 2 and 3 only", got, tried_with=probe.tried_with)


CHECKS = {
    "shape": forms_hold,
    "dtype": dtypes_hold,
    "shared": values_of(*SHARED),
    "single": values_of("one key head", "one query"),
    "unshared": values_of("as many"),
    "sums": sums_between("query"),
    "groups": groups,
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _call(inputs, *, layout=Layout.PLAIN, words=""):
    q, k, _ = inputs
    heads = f"{counted(q.shape[-3], 'query head')}, {counted(k.shape[-3], 'key head')}"
    rows = f"{counted(q.shape[-2], 'query', 'queries')}, {counted(k.shape[-2], 'key')}"
    sizes = f"{leading_in_words(q, axes=3)}{heads}, {rows}, width {q.shape[-1]}"
    return Call(inputs, sizes + words, layout)
