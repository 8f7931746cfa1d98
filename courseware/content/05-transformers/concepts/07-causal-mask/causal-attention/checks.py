"""The checks of `causal_attention`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Sizes are all different, because equal sizes hide exchanged axes; scores have a standard
deviation of about 1, because very small or very large ones hide a wrong scale. Whether later tokens leak is never
judged by a tolerance on values: late rows differ by less than rounding does in lower precision. Instead the later
tokens change, and the earlier rows must not.
"""

import numpy as np

from grader.exercises import Tolerance
from grader.judge.checking import (
    HOLDS,
    UNCHANGED,
    Finding,
    dtypes_hold,
    equal_hold,
    extremes_of,
    forms_hold,
    inputs_hold,
    repeat_holds,
    rows_kept,
    sums_of,
    values_of,
)
from grader.judge.drawing import distinct_sizes, tokens_in_words, with_largest_score, with_scores_down_to
from grader.judge.probing import Call
from grader.judge.wording import short
from grader.sandbox.wire import Layout

WEIGHTS_PROBE = "identity"

LARGE_SCORE = 3000.0  # exp overflows above 709 in float64 and 88 in float32, also after a division by a width of 4
# A score of 3000 has an error of about 2e-4 in float32, and the weights have it too.
LARGE_TOLERANCE = Tolerance(relative=1e-7, absolute=1e-9, single_precision=1e-2, reason="the rounding of large scores")
LARGE_KEY = 1000.0
AMPLIFIED = 1e6  # a hidden score of -10 keeps a weight of 5e-5; amplified, its value cannot be overlooked

VALUES = ("plain", "no window", "batch", "two leading axes", "one token", "square", "square batch", "identity", "ones")
WINDOWS = ("window of 1", "window of 2", "window of 3", "window in a batch", "window of all", "window beyond all")


def calls(random):
    """Return the calls of one draw by name."""
    width, value_width, tokens = sorted(distinct_sizes(random, 3))  # so there are at least five tokens

    def given(leading=(), *, tokens=tokens, width=width, value_width=value_width):
        return tuple(random.standard_normal((*leading, tokens, columns)) for columns in (width, width, value_width))

    Q, K, V = given()
    kept = tokens // 2  # how many tokens stay as they are where the later ones change
    some_Q, some_K, _ = given(tokens=5, width=6)
    return {
        "plain": _call((Q, K, V)),
        "again": _call((Q, K, V)),
        "no window": _call((Q, K, V), None, words=", window None"),
        "batch": _call(given((2,)), layout=Layout.STRIDED),
        "two leading axes": _call(given((2, 9)), layout=Layout.FORTRAN),
        "one token": _call(given(tokens=1)),
        "square": _call(given(tokens=4, width=4, value_width=4)),
        "square batch": _call(given((4,), tokens=4, width=4, value_width=4)),
        "identity": _call((some_Q, some_K, np.eye(5))),
        "ones": _call((some_Q, some_K, np.ones((5, 3)))),
        "prefix": _call((Q[:kept], K[:kept], V[:kept]), words=", the first of a longer text"),
        "later tokens changed": _call(_changed(random, Q, K, V, kept), words=f", changed from token {kept} on"),
        "window of 1": _call(given(), 1),
        "window of 2": _call(given(), 2),
        "window of 3": _call(given(), 3),
        "window in a batch": _call(given((2,)), 3, layout=Layout.STRIDED),
        "window of all": _call(given(), tokens),
        "window beyond all": _call(given(), tokens + 3),
        "large": _call(
            (*with_largest_score(LARGE_SCORE, Q, K, np.tri(tokens, dtype=bool)), V),
            words=", one score of 3000",
            is_extreme=True,
        ),
        "below": _call((*with_scores_down_to(random, -600.0, Q, K), V), words=", scores down to -600", is_extreme=True),
        "far below": _call(
            (*with_scores_down_to(random, -LARGE_SCORE, Q, K), V), words=", scores down to -3000", is_extreme=True
        ),
        "large later keys": _call(
            _changed_by_far(Q, K, V, kept), words=f", keys of 1000 from token {kept} on", is_extreme=True
        ),
    }


def first(draw):
    probe = draw["plain"]
    output, V = probe.output()[0], probe.call.inputs[2][0]
    found = equal_hold(probe, output, V, draw.tolerance, "the first token’s own value")
    factors = output / V
    if found.holds or not np.ptp(factors) <= draw.tolerance.single_precision:
        return found
    got = f"{factors.mean():.2f} times that value"
    return Finding(False, found.expected, got, found.largest_difference, probe.tried_with)


def last(draw):
    probe = draw["plain"]
    words = "the last row of attention without a mask"
    return equal_hold(probe, probe.output()[-1], probe.expected[-1], draw.tolerance, words)


def prefix(draw):
    probe, plain = draw["prefix"], draw["plain"].finite_output()
    expected = plain[: len(probe.expected)]
    return equal_hold(probe, probe.finite_output(), expected, draw.tolerance, "the same rows as in the whole text")


def future(draw):
    return _past_holds(draw, draw["later tokens changed"])


def future_large(draw):
    return _past_holds(draw, draw["large later keys"])


CHECKS = {
    "shape": forms_hold,
    "dtype": dtypes_hold,
    "values": values_of(*VALUES),
    "sums": sums_of("tokens"),
    "first": first,
    "last": last,
    "prefix": prefix,
    "future": future,
    "window": values_of(*WINDOWS),
    "future-large": future_large,
    "large": extremes_of("large", "below", "far below", tolerance=LARGE_TOLERANCE),
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _past_holds(draw, probe):
    """Find whether the rows before the change are those of the unchanged tokens, to the last digit."""
    plain = draw["plain"].output()
    kept = rows_kept(probe, draw["plain"], argument=2)
    before, after = plain[:kept].astype(np.float64), probe.output()[:kept].astype(np.float64)
    # A row that is no number in both calls has not changed; what is wrong with it is told by other checks.
    change = np.where(np.isnan(before) & np.isnan(after), 0.0, np.abs(after - before))
    if (change <= UNCHANGED).all():
        return HOLDS
    largest = float(change.max()) if np.isfinite(change).all() else None
    got = f"one of them changed by {short(largest)}" if largest is not None else "one of them is no number any more"
    return Finding(False, f"the same first {kept} rows as before", got, largest, probe.tried_with)


def _call(inputs, *window, layout=Layout.PLAIN, words="", is_extreme=False):
    is_further = bool(window) and window[0] is not None
    return Call(
        (*inputs, *window),
        tokens_in_words(inputs[0]) + (f", window {window[0]}" if is_further else words),
        layout,
        is_extreme=is_extreme,
        is_further=is_further,
    )


def _changed(random, Q, K, V, kept):
    """Return the same tokens up to a place, and others with very large values from there on."""
    others = [random.standard_normal(array[kept:].shape) for array in (Q, K, V)]
    changed = [np.concatenate([array[:kept], other]) for array, other in zip((Q, K, V), others, strict=True)]
    changed[2][kept:] *= AMPLIFIED
    return tuple(changed)


def _changed_by_far(Q, K, V, kept):
    """Return the same tokens up to a place; the later keys match the first query by far, or by far not at all."""
    later = np.arange(len(K) - kept)[:, np.newaxis]
    far = LARGE_KEY * np.where(later % 2, -1.0, 1.0) * np.where(Q[0] < 0, -1.0, 1.0)
    return Q, np.concatenate([K[:kept], far]), np.concatenate([V[:kept], V[kept:] * AMPLIFIED])
