"""The checks of `scores`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Sizes are all different, because equal sizes hide exchanged axes; one square batch then shows
the forms in which the exchange goes unnoticed.
"""

import numpy as np

from grader.judge.checking import Finding, forms_hold, inputs_hold, repeat_holds, same_as, values_hold
from grader.judge.drawing import distinct_sizes, queries_in_words
from grader.judge.probing import Call
from grader.judge.wording import short
from grader.sandbox.wire import Layout

WIDTHS = (4, 64)  # at which the spread of the scores is looked at: the root of one is four times that of the other
SPREAD_PLACES = 5e-3  # two decimals are shown


def calls(random):
    """Return the calls of one draw by name."""
    queries, keys, width, leading = distinct_sizes(random, 4)

    def given(*leading, queries=queries, keys=keys, width=width):
        return tuple(random.standard_normal((*leading, rows, width)) for rows in (queries, keys))

    Q, K = given()
    return {
        "plain": _call((Q, K)),
        "again": _call((Q, K)),
        "larger queries": _call((3.0 * Q, K)),
        "exchanged": _call((K, Q)),
        "batch": _call(given(leading), Layout.STRIDED),
        "two leading axes": _call(given(2, 9), Layout.FORTRAN),
        "one query": _call(given(queries=1)),
        "one key": _call(given(keys=1)),
        "square": _call(given(queries=4, keys=4, width=4)),
        "square batch": _call(given(4, queries=4, keys=4, width=4)),
        **{f"width {wide}": _call(given(queries=30, keys=40, width=wide)) for wide in WIDTHS},
    }


def values(draw):
    found = values_hold(draw, draw.tolerance)
    probe = draw["plain"]
    if found.holds or not probe.expected.all():
        return found
    factors = probe.finite_output() / probe.expected
    if np.ptp(factors) > draw.tolerance.single_precision * abs(factors.mean()):
        return found
    got = f"{short(factors.mean())} times as much, for every pair"
    return Finding(False, found.expected, got, found.largest_difference, probe.tried_with)


def spread(draw):
    probes = [draw[f"width {wide}"] for wide in WIDTHS]
    got = [float(probe.finite_output().std()) for probe in probes]
    expected = [float(probe.expected.std()) for probe in probes]
    difference = max(abs(one - other) for one, other in zip(got, expected, strict=True))
    return Finding(
        holds=difference <= SPREAD_PLACES,
        expected=_at_each_width(expected),
        got=_at_each_width(got),
        largest_difference=difference,
        tried_with=probes[-1].tried_with,
    )


CHECKS = {
    "shape": forms_hold,
    "values": values,
    "spread": spread,
    "proportional": same_as(
        "plain", "larger queries", "three times the scores of before", turned=lambda scores: 3.0 * scores
    ),
    "exchanged": same_as("plain", "exchanged", "the same scores, rows and columns turned", turned=np.transpose),
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _at_each_width(spreads):
    return ", ".join(f"{spread:.2f} at width {wide}" for spread, wide in zip(spreads, WIDTHS, strict=True))


def _call(inputs, layout=Layout.PLAIN):
    Q, K = inputs
    return Call(inputs, queries_in_words(Q, K), layout)
