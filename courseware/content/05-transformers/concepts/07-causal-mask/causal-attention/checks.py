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
    Finding,
    dtypes_hold,
    equal_hold,
    forms_hold,
    inputs_hold,
    merged,
    repeat_holds,
    values_hold,
)
from grader.judge.probing import Call, distinct_sizes
from grader.judge.wording import row, short
from grader.sandbox.wire import Layout

WEIGHTS_PROBE = "identity"

LARGE_SCORE = 3000.0  # exp overflows above 709 in float64 and 88 in float32, also after a division by a width of 4
# A score of 3000 has an error of about 2e-4 in float32, and the weights have it too.
LARGE_TOLERANCE = Tolerance(relative=1e-7, absolute=1e-9, single_precision=1e-2, reason="the rounding of large scores")
LARGE_KEY = 1000.0
AMPLIFIED = 1e6  # a hidden score of -10 keeps a weight of 5e-5; amplified, its value cannot be overlooked
UNCHANGED = 1e-12  # the same numbers enter these rows, so any correct program gets the same bits

VALUES = ("plain", "no window", "batch", "two leading axes", "one token", "square", "square batch", "identity", "ones")
WINDOWS = ("window of 1", "window of 2", "window of 3", "window in a batch", "window of all", "window beyond all")


def calls(random):
    """Return the calls of one draw by name."""
    width, value_width, tokens = sorted(distinct_sizes(random, 3))  # so there are at least five tokens

    def given(leading=(), *, tokens=tokens, width=width, value_width=value_width):
        return tuple(
            random.standard_normal((*leading, tokens, columns)) for columns in (width, width, value_width)
        )

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
        "large": _call((*_large(Q, K), V), words=", one score of 3000", is_extreme=True),
        "below": _call((*_below(random, Q, 600.0), V), words=", scores down to -600", is_extreme=True),
        "far below": _call((*_below(random, Q, LARGE_SCORE), V), words=", scores down to -3000", is_extreme=True),
        "large later keys": _call(
            _changed_by_far(Q, K, V, kept), words=f", keys of 1000 from token {kept} on", is_extreme=True
        ),
    }


def shape(draw):
    return forms_hold(draw)


def dtype(draw):
    return dtypes_hold(draw, "float64")


def values(draw):
    return values_hold([draw[name] for name in VALUES], draw.tolerance)


def sums(draw):
    probe = draw["ones"]
    found = values_hold([probe], draw.tolerance)
    if found.holds:
        return found
    output = probe.finite_output()
    return Finding(
        holds=False,
        expected=f"1.00 for each of the {len(output)} tokens",
        got=row(output[:, 0]),
        largest_difference=found.largest_difference,
        tried_with=probe.tried_with,
    )


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


def window(draw):
    return values_hold([draw[name] for name in WINDOWS], draw.tolerance)


def future_large(draw):
    return _past_holds(draw, draw["large later keys"])


def large(draw):
    probes = [draw["large"], draw["below"], draw["far below"]]
    outputs = [probe.finite_output() for probe in probes]
    # Values are compared only where they are right on ordinary scores: other mistakes have checks of their own.
    if not values_hold([draw["plain"]], draw.tolerance).holds:
        return HOLDS
    return merged(
        equal_hold(probe, output, probe.expected, LARGE_TOLERANCE, "the reference’s numbers")
        for probe, output in zip(probes, outputs, strict=True)
    )


def unchanged(draw):
    return inputs_hold(draw)


def repeatable(draw):
    return repeat_holds(draw["plain"], draw["again"])


CHECKS = {
    "shape": shape,
    "dtype": dtype,
    "values": values,
    "sums": sums,
    "first": first,
    "last": last,
    "prefix": prefix,
    "future": future,
    "window": window,
    "future-large": future_large,
    "large": large,
    "unchanged": unchanged,
    "repeatable": repeatable,
}


def _past_holds(draw, probe):
    """Find whether the rows before the change are those of the unchanged tokens, to the last digit."""
    plain = draw["plain"].output()
    kept = int((probe.call.inputs[2] == draw["plain"].call.inputs[2]).all(axis=-1).sum())
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
        _sizes(inputs[0]) + (f", window {window[0]}" if is_further else words),
        layout,
        is_extreme=is_extreme,
        is_further=is_further,
    )


def _sizes(Q):
    leading = "".join(f"{size} × " for size in Q.shape[:-2])
    return f"{leading}{Q.shape[-2]} {'token' if Q.shape[-2] == 1 else 'tokens'}, width {Q.shape[-1]}"


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


def _large(Q, K):
    """Return Q and K scaled so that the largest score that a mask leaves is LARGE_SCORE, after its division."""
    products = Q @ K.T / Q.shape[-1] ** 0.5
    largest = products[np.tri(len(Q), dtype=bool)].max()
    return (Q * LARGE_SCORE / largest, K) if largest > 0 else (-Q * LARGE_SCORE / largest, K)


def _below(random, Q, score):
    """Return Q and K whose scores all lie between -score and 4/9 of it."""
    queries, keys = (random.uniform(1.0, 1.5, Q.shape) for _ in range(2))
    largest = (queries @ keys.T).max() / Q.shape[-1] ** 0.5
    return queries * score / largest, -keys
