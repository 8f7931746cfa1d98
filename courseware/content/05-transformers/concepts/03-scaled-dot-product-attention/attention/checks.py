"""The checks of `attention`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Sizes are all different, because equal sizes hide exchanged axes; scores have a standard
deviation of about 1, because very small or very large ones hide a wrong scale.
"""

import numpy as np

from grader.exercises import Tolerance
from grader.judge.checking import (
    HOLDS,
    Finding,
    extremes_of,
    forms_hold,
    inputs_hold,
    repeat_holds,
    same_as,
    sums_of,
    values_hold,
)
from grader.judge.drawing import distinct_sizes, queries_in_words, with_largest_score
from grader.judge.probing import Call
from grader.judge.wording import short
from grader.sandbox.wire import Layout

WEIGHTS_PROBE = "identity"

LARGE_SCORE = 3000.0  # exp overflows above 709 in float64 and 88 in float32, also after a division by a width of 4
# A score of 3000 has an error of about 2e-4 in float32, and the weights have it too.
LARGE_TOLERANCE = Tolerance(relative=1e-7, absolute=1e-9, single_precision=1e-2, reason="the rounding of large scores")


def calls(random):
    """Return the calls of one draw by name."""
    queries, keys, width, value_width = distinct_sizes(random, 4)

    def given(leading=(), *, queries=queries, keys=keys, width=width, value_width=value_width):
        return tuple(
            random.standard_normal((*leading, rows, columns))
            for rows, columns in ((queries, width), (keys, width), (keys, value_width))
        )

    Q, K, V = given()
    some_Q, some_K, _ = given(queries=4, keys=5, width=6)
    return {
        "plain": Call((Q, K, V), queries_in_words(Q, K)),
        "again": Call((Q, K, V), queries_in_words(Q, K)),
        "keys reordered": Call((Q, np.roll(K, 1, axis=0), np.roll(V, 1, axis=0)), queries_in_words(Q, K)),
        "queries reordered": Call((np.roll(Q, 1, axis=0), K, V), queries_in_words(Q, K)),
        "batch": _call(given((2,)), Layout.STRIDED),
        "two leading axes": _call(given((2, 9)), Layout.FORTRAN),
        "one query": _call(given(queries=1)),
        "single key": _call(given(keys=1)),
        "square": _call(given(queries=4, keys=4, width=4, value_width=4)),
        "square batch": _call(given((4,), queries=4, keys=4, width=4, value_width=4)),
        "identity": Call((some_Q, some_K, np.eye(5)), queries_in_words(some_Q, some_K)),
        "ones": Call((some_Q, some_K, np.ones((5, 3))), queries_in_words(some_Q, some_K)),
        "positive": Call((Q, K, random.uniform(1.0, 2.0, V.shape)), queries_in_words(Q, K)),
        "large": Call(
            (*with_largest_score(LARGE_SCORE, Q, K), V), queries_in_words(Q, K) + ", one score of 3000", is_extreme=True
        ),
    }


def values(draw):
    return values_hold(draw.ordinary(), draw.tolerance)


def hull(draw):
    probe = draw["positive"]
    output, V = probe.finite_output(), probe.call.inputs[2]
    outside = np.maximum(V.min(axis=0) - output, output - V.max(axis=0))
    if outside.max() <= draw.tolerance.absolute:
        return HOLDS
    if outside.max() <= draw.tolerance.single_precision:
        return Finding(holds=True, is_single_precision=True)
    beyond = int((outside > draw.tolerance.single_precision).sum())
    return Finding(
        holds=False,
        expected="every number between the smallest and the largest value of its column",
        got=f"{beyond} of {output.size} numbers lie outside, by up to {short(outside.max())}",
        largest_difference=float(outside.max()),
        tried_with=probe.tried_with,
    )


def single_key(draw):
    probe = draw["single key"]
    found = values_hold([probe], draw.tolerance)
    if found.holds:
        return found
    output, V = probe.finite_output(), probe.call.inputs[2]
    factors = output / V
    is_multiple = np.ptp(factors) <= draw.tolerance.single_precision
    got = f"{factors.mean():.2f} times the value" if is_multiple else found.got
    return Finding(False, "its value, once for each query", got, found.largest_difference, probe.tried_with)


CHECKS = {
    "shape": forms_hold,
    "values": values,
    "sums": sums_of("queries"),
    "hull": hull,
    "single-key": single_key,
    "keys-reordered": same_as("plain", "keys reordered", "the same output as before"),
    "queries-reordered": same_as(
        "plain", "queries reordered", "the same rows in the new order", turned=lambda rows: np.roll(rows, 1, axis=0)
    ),
    "large": extremes_of("large", tolerance=LARGE_TOLERANCE),
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _call(inputs, layout=Layout.PLAIN):
    return Call(inputs, queries_in_words(inputs[0], inputs[1]), layout)
