"""The checks of `masked_attention`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Sizes are all different, because equal sizes hide exchanged axes; two square calls then show the
forms in which the exchange goes unnoticed. Whether hidden keys leak is decided by changing them, not by a tolerance.
"""

import numpy as np

from grader.exercises import Tolerance
from grader.judge.checking import (
    HOLDS,
    UNCHANGED,
    Finding,
    extremes_of,
    forms_hold,
    inputs_hold,
    repeat_holds,
    same_as,
    sums_of,
    values_of,
)
from grader.judge.drawing import distinct_sizes, drawn_mask, queries_in_words, with_largest_score, with_scores_down_to
from grader.judge.probing import Call
from grader.judge.wording import in_words, short
from grader.sandbox.wire import Layout

WEIGHTS_PROBE = "identity"

LARGE_SCORE = 3000.0  # exp overflows above 709 in float64 and 88 in float32, also after a division by a width of 4
LOW_SCORE = -30_000.0  # below -10,000, a number that many programs hide by
# A score of 30,000 has an error of about 2e-3 in float32, and the weights have it too.
LARGE_TOLERANCE = Tolerance(relative=1e-7, absolute=1e-9, single_precision=5e-2, reason="the rounding of large scores")
AMPLIFIED = 1e6  # a hidden score of -10 keeps a weight of 5e-5; amplified, its value cannot be overlooked

VALUES = (
    "plain", "padding", "batch", "heads", "own masks", "one mask", "one query", "square", "square padding", "cube",
)  # fmt: skip
OPEN = ("all kept", "single key")
EMPTY = ("empty rows", "empty text", "nothing kept")


def calls(random):
    """Return the calls of one draw by name."""
    queries, keys, width, value_width = distinct_sizes(random, 4)

    def given(leading=(), *, queries=queries, keys=keys, width=width, value_width=value_width):
        return tuple(
            random.standard_normal((*leading, rows, columns))
            for rows, columns in ((queries, width), (keys, width), (keys, value_width))
        )

    def keep(*shape):
        return drawn_mask(random, *shape, keys)

    Q, K, V = given()
    padding = keep(1)
    some_Q, some_K, _ = given(queries=4, keys=5, width=6)
    some_keep = drawn_mask(random, 4, 5)
    empty = keep(queries)
    empty[random.integers(queries)] = False
    empty_text = keep(2, 1)
    empty_text[random.integers(2)] = False
    whole = keep(queries)
    return {
        "plain": _call((Q, K, V, whole)),
        "again": _call((Q, K, V, whole)),
        "padding": _call((Q, K, V, padding)),
        "padding changed": _call((Q, *_changed(random, K, V, padding), padding), words=", other hidden keys"),
        "padding removed": _call(
            (Q, K[padding[0]], V[padding[0]], padding[:, padding[0]]), words=", no hidden key", is_further=True
        ),
        "batch": _call((*given((2,)), keep(2, 1)), Layout.STRIDED),
        "heads": _call((*given((2, 9)), keep(2, 1, 1)), Layout.FORTRAN),
        "own masks": _call((*given((2,)), keep(2, queries))),
        "one mask": _call((*given((9, 2)), keep(1, 1, queries))),
        "one query": _call((*given(queries=1), keep(1))),
        "square": _call((*given(queries=4, keys=4, width=4, value_width=4), drawn_mask(random, 4, 4))),
        "square padding": _call((*given(queries=4, keys=4, width=4, value_width=4), drawn_mask(random, 1, 4))),
        "cube": _call((*given((4,), queries=4, keys=4, width=4, value_width=4), drawn_mask(random, 4, 1, 4))),
        "ones": _call((some_Q, some_K, np.ones((5, 3)), some_keep)),
        "identity": _call((some_Q, some_K, np.eye(5), some_keep)),
        "all kept": _call((Q, K, V, np.full((queries, keys), True)), is_further=True),
        "single key": _call((*given(keys=1), np.full((1, 1), True)), is_further=True),
        "empty rows": _call((Q, K, V, empty), words=", one row of keep false throughout", is_further=True),
        "empty text": _call((*given((2,)), empty_text), words=", one text without any key", is_further=True),
        "nothing kept": _call((Q, K, V, np.full((1, keys), False)), words=", keep false throughout", is_further=True),
        "large": _call(
            (*with_largest_score(LARGE_SCORE, Q, K, whole), V, whole), words=", one score of 3000", is_extreme=True
        ),
        "low": _call(
            (*with_scores_down_to(random, LOW_SCORE, Q, K), V, whole), words=", scores down to -30000", is_extreme=True
        ),
    }


def hidden(draw):
    probe = draw["padding changed"]
    before, after = (each.finite_output().astype(np.float64) for each in (draw["padding"], probe))
    change = float(np.abs(after - before).max())
    if change <= UNCHANGED:
        return HOLDS
    return Finding(False, "the same rows as before", f"one of them changed by {short(change)}", change, probe.tried_with)


CHECKS = {
    "shape": forms_hold,
    "values": values_of(*VALUES),
    "all-kept": values_of(*OPEN),
    "sums": sums_of("queries"),
    "hidden": hidden,
    "removed": same_as("padding", "padding removed", "the same output as with the hidden keys in their place"),
    "empty-rows": values_of(*EMPTY),
    "large": extremes_of("large", "low", tolerance=LARGE_TOLERANCE, ordinary=VALUES),
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _call(inputs, layout=Layout.PLAIN, *, words="", is_further=False, is_extreme=False):
    Q, K, _, keep = inputs
    sizes = f"{queries_in_words(Q, K)}, keep of shape {in_words(keep.shape)}"
    return Call(inputs, sizes + words, layout, is_further=is_further, is_extreme=is_extreme)


def _changed(random, K, V, padding):
    """Return K and V with others in the hidden places, the values very large."""
    hidden = ~padding[0][:, np.newaxis]
    others = random.standard_normal(K.shape), AMPLIFIED * random.uniform(1.0, 2.0, V.shape)
    return tuple(np.where(hidden, other, array) for other, array in zip(others, (K, V), strict=True))
