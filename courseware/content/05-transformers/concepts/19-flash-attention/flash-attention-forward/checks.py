"""The checks of `flash_attention`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. The function returns two tensors and a call is after one of them, through the adapter. Keys are
sorted, so that scores rise from tile to tile: where the largest one stands in the first, nothing is ever rescaled. Tiles
of unequal sides show a diagonal that runs through more than one of them.
"""

import numpy as np

from grader.exercises import Tolerance
from grader.judge.checking import (
    dtypes_hold,
    earlier_rows_stay,
    extremes_of,
    forms_hold,
    inputs_hold,
    repeat_holds,
    values_of,
)
from grader.judge.drawing import queries_in_words
from grader.judge.probing import Call
from grader.sandbox.wire import Layout

LARGE_SCORE = 3000.0  # exp overflows above 709 in float64
# A score of 3000 has an error of about 2e-4 in float32, and the weights have it too.
LARGE_TOLERANCE = Tolerance(relative=1e-7, absolute=1e-9, single_precision=1e-2, reason="the rounding of large scores")
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


CHECKS = {
    "shape": forms_hold,
    "dtype": dtypes_hold,
    "values": values_of("plain", "batch", "two leading axes", "one token"),
    "tiles": values_of(*TILES),
    "causal": values_of(*CAUSAL),
    "future": earlier_rows_stay("causal", "later tokens changed", argument=2),
    "logarithms": values_of("logarithms", "logarithms, causal"),
    "large": extremes_of("large rising", "large falling", tolerance=LARGE_TOLERANCE),
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _call(inputs, bq, bk, *further, layout=Layout.PLAIN, words="", is_extreme=False):
    Q, K, _ = inputs
    mask = ", causal" if further and further[0] else ""
    part = ", LSE" if "LSE" in further else ""
    sizes = f"{queries_in_words(Q, K)}, tiles of {bq} × {bk}{mask}{part}"
    return Call((*inputs, bq, bk, *further), sizes + words, layout, is_extreme=is_extreme)
