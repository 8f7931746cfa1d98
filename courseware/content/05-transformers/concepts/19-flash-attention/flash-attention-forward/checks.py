"""The checks of `flash_attention`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. The function returns two tensors and a call is after one of them, through the adapter. Keys are
sorted, so that scores rise from tile to tile: where the largest one stands in the first, nothing is ever rescaled. Tiles
of unequal sides show a diagonal that runs through more than one of them.
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
from grader.judge.probing import Call
from grader.judge.wording import short
from grader.sandbox.wire import Layout

LARGE_SCORE = 3000.0  # exp overflows above 709 in float64
# A score of 3000 has an error of about 2e-4 in float32, and the weights have it too.
LARGE_TOLERANCE = Tolerance(relative=1e-7, absolute=1e-9, single_precision=1e-2, reason="the rounding of large scores")
UNCHANGED = 1e-12  # the same numbers enter these rows, so any correct program gets the same bits
TILES = ("tiles of 1", "uneven tiles", "tile beyond all")
CAUSAL = ("causal", "causal, wide tiles", "causal, high tiles", "causal batch")


def calls(random):
    """Return the calls of one draw by name."""
    queries, width, value_width = (int(each) for each in random.permutation([5, 4, 3])[:3])
    keys, tokens = 7, 6  # which few tiles below divide

    def given(*leading, queries=queries, keys=keys, falls=False):
        # Scores rise along one direction from about -2 to 2, with something of their own besides.
        direction = np.sign(random.standard_normal(width))
        rise = np.linspace(-1.0, 1.0, keys)[:, np.newaxis] * (-1.0 if falls else 1.0)
        Q = direction * random.uniform(0.7, 1.3, (*leading, queries, width))
        K = direction * 2.0 * rise / width**0.5 + 0.25 * random.standard_normal((*leading, keys, width))
        return Q, K, random.standard_normal((*leading, keys, value_width)) + rise

    plain, causal = given(), given(queries=tokens, keys=tokens)
    kept = 3
    later = [np.concatenate([each[:kept], 9.0 * random.standard_normal(each[kept:].shape)]) for each in causal]
    far = np.linspace(-1.0, 1.0, keys)[:, np.newaxis] * LARGE_SCORE / width**0.5
    upwards, ones = far * np.ones((1, width)), np.ones((queries, width))
    return {
        "plain": _call(plain, 4, 3),
        "again": _call(plain, 4, 3),
        "batch": _call(given(2), 2, 3, layout=Layout.STRIDED),
        "two leading axes": _call(given(2, 3), 3, 3, layout=Layout.FORTRAN),
        "one token": _call(given(queries=1, keys=1), 2, 2, True),
        "tiles of 1": _call(given(queries=2), 1, 1),
        "uneven tiles": _call(given(falls=True), 3, 2),
        "tile beyond all": _call(plain, queries + 2, keys + 3),
        "causal": _call(causal, 4, 4, True),
        "causal, wide tiles": _call(causal, 2, 4, True),
        "causal, high tiles": _call(causal, 4, 2, True),
        "causal batch": _call(given(2, queries=tokens, keys=tokens), 3, 3, True),
        "later tokens changed": _call(later, 4, 4, True, words=f", changed from token {kept} on"),
        "logarithms": _call(plain, 4, 3, False, "LSE"),
        "logarithms, causal": _call(causal, 4, 4, True, "LSE"),
        "large rising": _call((ones, upwards, plain[2]), 4, 3, words=", scores up to 3000", is_extreme=True),
        "large falling": _call((ones, -upwards, plain[2]), 4, 3, words=", scores down to -3000", is_extreme=True),
    }


def shape(draw):
    return forms_hold(draw)


def dtype(draw):
    return dtypes_hold(draw, "float64")


def values(draw):
    return values_hold([draw[name] for name in ("plain", "batch", "two leading axes", "one token")], draw.tolerance)


def tiles(draw):
    return values_hold([draw[name] for name in TILES], draw.tolerance)


def causal(draw):
    return values_hold([draw[name] for name in CAUSAL], draw.tolerance)


def future(draw):
    probe, before = draw["later tokens changed"], draw["causal"].finite_output()
    kept = int((probe.call.inputs[2] == draw["causal"].call.inputs[2]).all(axis=-1).sum())
    change = float(np.abs(probe.finite_output()[:kept].astype(float) - before[:kept].astype(float)).max())
    if change <= UNCHANGED:
        return HOLDS
    got = f"one of them changed by {short(change)}"
    return Finding(False, f"the same first {kept} rows as before", got, change, probe.tried_with)


def logarithms(draw):
    return values_hold([draw["logarithms"], draw["logarithms, causal"]], draw.tolerance)


def large(draw):
    probes = [draw["large rising"], draw["large falling"]]
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
    "tiles": tiles,
    "causal": causal,
    "future": future,
    "logarithms": logarithms,
    "large": large,
    "unchanged": unchanged,
    "repeatable": repeatable,
}


def _call(inputs, bq, bk, *further, layout=Layout.PLAIN, words="", is_extreme=False):
    Q, K, _ = inputs
    *leading, queries, width = Q.shape
    before = "".join(f"{size} × " for size in leading)
    mask = ", causal" if further and further[0] else ""
    part = ", LSE" if "LSE" in further else ""
    sizes = f"{before}{queries} queries, {K.shape[-2]} keys, width {width}, tiles of {bq} × {bk}{mask}{part}"
    return Call((*inputs, bq, bk, *further), sizes + words, layout, is_extreme=is_extreme)
