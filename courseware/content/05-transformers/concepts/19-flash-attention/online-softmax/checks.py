"""The checks of `online_softmax_attention`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Where the largest score stands in the first block, nothing is ever rescaled and every mistake in
it is hidden; so the keys of most calls are sorted, and their scores rise from block to block, of which there are at
least three.
"""

import numpy as np

from grader.exercises import Tolerance
from grader.judge.checking import dtypes_hold, extremes_of, forms_hold, inputs_hold, repeat_holds, same_as, values_of
from grader.judge.drawing import queries_in_words
from grader.judge.probing import Call
from grader.sandbox.wire import Layout

LARGE_SCORE = 3000.0  # exp overflows above 709 in float64
# A score of 3000 has an error of about 2e-4 in float32, and the weights have it too.
LARGE_TOLERANCE = Tolerance(relative=1e-7, absolute=1e-9, single_precision=1e-2, reason="the rounding of large scores")
BLOCKS = ("blocks of 1", "blocks of 3", "one block", "block beyond all", "falling")


def calls(random):
    """Return the calls of one draw by name."""
    queries, width, value_width = (int(each) for each in random.permutation([3, 4, 5])[:3])
    keys, block = 10, 4  # two whole blocks and a smaller one

    def given(*leading, falls=False, keys=keys, queries=queries, width=width):
        # Scores rise along one direction from about -2 to 2, with something of their own besides.
        direction = np.sign(random.standard_normal(width))
        rise = np.linspace(-1.0, 1.0, keys)[:, np.newaxis] * (-1.0 if falls else 1.0)
        Q = direction * random.uniform(0.7, 1.3, (*leading, queries, width))
        K = direction * 2.0 * rise / width**0.5 + 0.25 * random.standard_normal((*leading, keys, width))
        return Q, K, random.standard_normal((*leading, keys, value_width)) + rise

    Q, K, V = given()
    order = random.permutation(keys)
    far = np.linspace(-1.0, 1.0, keys)[:, np.newaxis] * LARGE_SCORE / width**0.5
    upwards, ones = far * np.ones((1, width)), np.ones((queries, width))
    return {
        "plain": _call((Q, K, V), block),
        "again": _call((Q, K, V), block),
        "batch": _call(given(2), block, layout=Layout.STRIDED),
        "two leading axes": _call(given(2, 3), block, layout=Layout.FORTRAN),
        "one key": _call(given(keys=1), block),
        "one query": _call(given(queries=1), block),
        "blocks of 1": _call((Q, K, V), 1),
        "blocks of 3": _call((Q, K, V), 3),
        "one block": _call((Q, K, V), keys),
        "block beyond all": _call((Q, K, V), keys + 3),
        "falling": _call(given(falls=True), block, words=", scores that fall"),
        "ones": _call((Q, K, np.ones((keys, 2))), block, words=", values of 1"),
        "other order": _call((Q, K[order], V[order]), block, words=", keys in another order"),
        "large rising": _call((ones, upwards, V), block, words=", scores from -3000 up to 3000", is_extreme=True),
        "large falling": _call((ones, -upwards, V), block, words=", scores from 3000 down to -3000", is_extreme=True),
    }


CHECKS = {
    "shape": forms_hold,
    "dtype": dtypes_hold,
    "values": values_of("plain", "batch", "two leading axes", "one key", "one query"),
    "blocks": values_of(*BLOCKS),
    "sums": values_of("ones"),
    "order": same_as("plain", "other order", "the same as in the first order"),
    "large": extremes_of("large rising", "large falling", tolerance=LARGE_TOLERANCE),
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _call(inputs, block, *, layout=Layout.PLAIN, words="", is_extreme=False):
    Q, K, _ = inputs
    sizes = f"{queries_in_words(Q, K)}, blocks of {block}"
    return Call((*inputs, block), sizes + words, layout, is_extreme=is_extreme)
