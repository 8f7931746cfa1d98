"""The checks of `cross_attention`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. The numbers of queries, keys, heads and columns of a head differ, since equal ones hide which text
a row came from; calls with equal numbers then show the forms in which an exchange goes unnoticed.
"""

from functools import partial

import numpy as np

from grader.exercises import Tolerance
from grader.judge.checking import HOLDS, Finding, extremes_of, forms_hold, inputs_hold, repeat_holds, same_as, values_of
from grader.judge.drawing import drawn_mask, queries_in_words
from grader.judge.probing import Call
from grader.judge.wording import short
from grader.sandbox.wire import Layout

WEIGHTS_PROBE = "identity"

SIZES = (3, 4, 5, 6, 7)  # of queries, keys, heads and columns of a head
LARGE_SCORE = 3000.0  # exp overflows above 709 in float64 and 88 in float32, also after a division by a width of 4
# A score of 3000 has an error of about 2e-4 in float32, or a few times that after two maps, and the weights have it too.
LARGE_TOLERANCE = Tolerance(relative=1e-7, absolute=1e-9, single_precision=5e-2, reason="the rounding of large scores")
AMPLIFIED = 10.0  # enough for a small weight to show itself, not so much that scores become extreme

VALUES = ("plain", "batch", "two leading axes", "as many queries", "one query", "one key", "equal sizes")
MASKED = ("masked", "mask of all", "mask in a batch", "masked, as many queries", "masked, equal sizes")


def calls(random):
    """Return the calls of one draw by name."""
    queries, keys, heads, width = (int(size) for size in random.permutation(SIZES)[:4])
    if queries > keys:
        queries, keys = keys, queries  # so that a causal mask hides something and leaves no row empty

    def given(*leading, queries=queries, keys=keys, heads=heads, width=width, keep=()):
        model = heads * width
        maps = [random.standard_normal((model, model)) / model**0.5 for _ in range(4)]
        rows = [random.standard_normal((*leading, count, model)) for count in (queries, keys)]
        return (*rows, *maps, heads, *keep)

    keep = partial(drawn_mask, random)

    plain = given()
    x_q, x_kv, *rest = plain
    asked = x_q.copy()
    asked[random.integers(queries)] += 1.0
    mask = keep(keys)
    others = np.where(mask[:, np.newaxis], x_kv, AMPLIFIED * random.standard_normal(x_kv.shape))
    order = random.permutation(keys)
    return {
        "plain": _call(plain),
        "again": _call(plain),
        "query changed": _call((asked, x_kv, *rest), words=", one row of x_q changed"),
        "keys reordered": _call((x_q, x_kv[order], *rest)),
        "batch": _call(given(2), Layout.STRIDED),
        "two leading axes": _call(given(2, 9), Layout.FORTRAN),
        "as many queries": _call(given(queries=keys)),
        "one query": _call(given(queries=1)),
        "one key": _call(given(keys=1)),
        "equal sizes": _call(given(4, queries=4, keys=4, heads=4, width=4)),
        "identity": _call(_with_identity_as_values(random)),
        "masked": _call((*plain, mask)),
        "hidden changed": _call((x_q, others, *rest, mask), words=", other hidden rows"),
        "mask of all": _call((*plain, np.full(keys, True))),
        "mask in a batch": _call(given(2, keep=(keep(2, keys),)), Layout.STRIDED),
        "masked, as many queries": _call(given(queries=keys, keep=(keep(keys),))),
        "masked, equal sizes": _call(given(4, queries=4, keys=4, heads=4, width=4, keep=(keep(4, 4),))),
        "large": _call(_large(plain), words=", one score of 3000", is_extreme=True),
    }


def independent(draw):
    probe, plain = draw["query changed"], draw["plain"]
    change = np.abs(probe.finite_output() - plain.finite_output()).max(axis=-1)
    asked = (probe.call.inputs[0] != plain.call.inputs[0]).any(axis=-1)
    if (change[~asked] <= draw.tolerance.single_precision).all():
        return HOLDS
    largest = float(change[~asked].max())
    got = f"another row changed by {short(largest)}"
    return Finding(False, "no change in the rows of the other queries", got, largest, probe.tried_with)


CHECKS = {
    "shape": forms_hold,
    "values": values_of(*VALUES),
    "keys-reordered": same_as("plain", "keys reordered", "the same output as before"),
    "independent": independent,
    "masked": values_of(*MASKED),
    "hidden": same_as("masked", "hidden changed", "the same rows as before"),
    "large": extremes_of("large", tolerance=LARGE_TOLERANCE),
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _call(given, layout=Layout.PLAIN, *, words="", is_extreme=False):
    x_q, x_kv, heads = given[0], given[1], given[6]
    is_further = len(given) > 7
    words = (", with kv_keep" if is_further else "") + words
    sizes = f"{queries_in_words(x_q, x_kv)}, heads={heads}{words}"
    return Call(given, sizes, layout, is_extreme=is_extreme, is_further=is_further)


def _with_identity_as_values(random):
    """Return a call with one head whose values are the identity, so that the output is the matrix of weights."""
    x_kv = np.linalg.qr(random.standard_normal((5, 5)))[0] * 5**0.5
    Wq, Wk = (random.standard_normal((5, 5)) / 5**0.5 for _ in range(2))
    return random.standard_normal((4, 5)), x_kv, Wq, Wk, x_kv.T / 5, np.eye(5), 1


def _large(plain):
    """Return the same call with a larger map of queries: the largest score, after its division, is LARGE_SCORE."""
    x_q, x_kv, Wq, Wk, *rest, heads = plain
    q, k = ((x @ W).reshape(len(x), heads, -1) for x, W in ((x_q, Wq), (x_kv, Wk)))
    scores = np.einsum("thw,shw->hts", q, k) / q.shape[-1] ** 0.5
    return x_q, x_kv, Wq * LARGE_SCORE / scores.max(), Wk, *rest, heads
