"""The checks of `attention_backward`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Each call asks for one of the three gradients. Sizes are all different, because equal sizes hide
exchanged axes; one call of equal sizes then shows the forms in which an exchange goes unnoticed. Scores have a standard
deviation of about 1, because very small or very large ones hide a wrong scale.
"""

from functools import partial

import numpy as np

from grader.exercises import Tolerance
from grader.judge.checking import (
    HOLDS,
    Finding,
    dtypes_hold,
    equal_hold,
    extremes_of,
    forms_hold,
    inputs_hold,
    repeat_holds,
    same_as,
    values_of,
)
from grader.judge.drawing import distinct_sizes, queries_in_words, with_largest_score
from grader.judge.probing import Call
from grader.judge.wording import short
from grader.sandbox.wire import Layout

PARTS = ("dQ", "dK", "dV")
LARGE_SCORE = 3000.0  # exp overflows above 709 in float64 and 88 in float32, also after a division by a width of 4
# A score of 3000 has an error of about 2e-4 in float32; gradients have it too, times keys that are as large.
LARGE_TOLERANCE = Tolerance(relative=1e-7, absolute=1e-8, single_precision=1e-1, reason="the rounding of large scores")
NO_SLOPE = 1e-10  # where a gradient must be 0: what rounding leaves of sums of numbers about 1 in size
# Source:  central differences with a step of 1e-5 are exact to about 1e-9 for functions as smooth as these
STEP, SLOPE_TOLERANCE = 1e-5, Tolerance(1e-6, 1e-8, 1e-4, reason="what the differences leave")

PLAIN = ("plain", "batch", "two leading axes", "one query", "equal sizes")
CAUSAL = ("causal", "causal batch", "causal, equal sizes")


def calls(random):
    """Return the calls of one draw by name."""
    queries, keys, width, value_width = distinct_sizes(random, 4)

    def given(*leading, queries=queries, keys=keys, width=width, value_width=value_width):
        shapes = (queries, width), (keys, width), (keys, value_width), (queries, value_width)
        return tuple(random.standard_normal((*leading, *shape)) for shape in shapes)

    Q, K, V, dO = plain = given()
    equal = given(4, queries=4, keys=4, width=4, value_width=4)
    causal = given(queries=keys)
    same_keys = (Q, np.repeat(K[:1], keys, axis=0), V, dO)
    asked = {
        "plain": (plain, Layout.PLAIN),
        "batch": (given(2), Layout.STRIDED),
        "two leading axes": (given(2, 9), Layout.FORTRAN),
        "one query": (given(queries=1), Layout.PLAIN),
        "equal sizes": (equal, Layout.PLAIN),
        "causal": ((*causal, True), Layout.PLAIN),
        "causal batch": ((*given(2, queries=keys), True), Layout.STRIDED),
        "causal, equal sizes": ((*equal, True), Layout.PLAIN),
    }
    made = {
        f"{name}, {part}": _call(inputs, part, layout=layout)
        for name, (inputs, layout) in asked.items()
        for part in PARTS
    }
    made["plain"] = _call(plain, "dQ")
    made["twice as much"] = _call((Q, K, V, 2.0 * dO), "dK", words=", dO doubled")
    made["same keys"] = _call(same_keys, "dQ", words=", all keys equal")
    far = with_largest_score(LARGE_SCORE, Q, K)
    for part in PARTS:
        made[f"large, {part}"] = _call((*far, V, dO), part, words=", one score of 3000", is_extreme=True)
    return made


def same_keys(draw):
    """A row of slopes in the scores adds up to 0, so with equal keys nothing of it is left."""
    probe = draw["same keys"]
    largest = float(np.abs(probe.finite_output()).max())
    if largest <= NO_SLOPE:
        return HOLDS
    if largest <= draw.tolerance.single_precision:
        return Finding(holds=True, is_single_precision=True)
    return Finding(False, "0 throughout", f"numbers of up to {short(largest)}", largest, probe.tried_with)


def slope(draw):
    """The slope along the gradient itself, measured by two outputs close by."""
    probe = draw["plain"]
    gradient, (Q, K, V, dO) = probe.finite_output().astype(np.float64), probe.call.inputs[:4]
    direction = probe.expected / np.linalg.norm(probe.expected)
    ahead, behind = (_loss(Q + step * direction, K, V, dO) for step in (STEP, -STEP))
    measured, claimed = (ahead - behind) / (2.0 * STEP), float((gradient * direction).sum())
    words = "the slope that two outputs close by show"
    return equal_hold(probe, np.array([claimed]), np.array([measured]), SLOPE_TOLERANCE, words)


CHECKS = {
    "shape": forms_hold,
    "dtype": dtypes_hold,
    "queries": values_of(*(f"{name}, dQ" for name in PLAIN)),
    "keys": values_of(*(f"{name}, dK" for name in PLAIN)),
    "values": values_of(*(f"{name}, dV" for name in PLAIN)),
    "causal": values_of(*(f"{name}, {part}" for part in PARTS for name in CAUSAL)),
    "same-keys": same_keys,
    "linear": same_as(
        "plain, dK", "twice as much", "twice the gradient as before", turned=lambda gradient: 2.0 * gradient
    ),
    "slope": slope,
    "large": extremes_of(
        *(f"large, {part}" for part in PARTS), tolerance=LARGE_TOLERANCE, ordinary=[f"plain, {part}" for part in PARTS]
    ),
    "unchanged": inputs_hold,
    "repeatable": partial(repeat_holds, second="plain, dQ"),
}


def _loss(Q, K, V, dO):
    scores = Q @ K.T / Q.shape[-1] ** 0.5
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return float((weights / weights.sum(axis=-1, keepdims=True) @ V * dO).sum())


def _call(given, part, *, layout=Layout.PLAIN, words="", is_extreme=False):
    Q, K = given[:2]
    is_causal = len(given) > 4
    words = f"{', causal' if is_causal else ''}{words}, {part}"
    inputs = (*given, PARTS.index(part)) if is_causal else (*given, False, PARTS.index(part))
    sizes = queries_in_words(Q, K) + words
    return Call(inputs, sizes, layout, is_further=is_causal, is_extreme=is_extreme)
