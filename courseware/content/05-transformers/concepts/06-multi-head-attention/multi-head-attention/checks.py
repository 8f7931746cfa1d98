"""The checks of `multi_head_attention`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. There are always three heads and three tokens or more but in the calls that say otherwise, since
with one head or one token most mistakes are invisible. Numbers of heads, tokens and columns of a head differ, and the
maps are scaled so that scores have a standard deviation of about 1.
"""

import numpy as np

from grader.exercises import Tolerance
from grader.judge.checking import extremes_of, forms_hold, inputs_hold, repeat_holds, same_as, values_of
from grader.judge.drawing import tokens_in_words
from grader.judge.probing import Call
from grader.sandbox.wire import Layout

WEIGHTS_PROBE = "identity"

SIZES = (3, 4, 5, 6)  # of heads, tokens and columns of a head; the maps grow with the square of their product
LARGE_SCORE = 3000.0  # exp overflows above 709 in float64 and 88 in float32, also after a division by a width of 4
# A score of 3000 has an error of about 2e-4 in float32, or a few times that after two maps, and the weights have it too.
LARGE_TOLERANCE = Tolerance(relative=1e-7, absolute=1e-9, single_precision=5e-2, reason="the rounding of large scores")

VALUES = ("plain", "batch", "two leading axes", "equal sizes", "one token")


def calls(random):
    """Return the calls of one draw by name."""
    heads, tokens, width = (int(size) for size in random.permutation(SIZES)[:3])

    def given(*leading, heads=heads, tokens=tokens, width=width):
        model = heads * width
        maps = [random.standard_normal((model, model)) / model**0.5 for _ in range(4)]
        return (random.standard_normal((*leading, tokens, model)), *maps, heads)

    plain = given()
    x, Wq, Wk, Wv, Wo, _ = plain
    order = np.roll(np.arange(heads * width).reshape(heads, width), 1, axis=0).ravel()
    return {
        "plain": _call(plain),
        "again": _call(plain),
        "tokens reordered": _call((np.roll(x, 1, axis=0), *plain[1:])),
        "heads reordered": _call((x, Wq[:, order], Wk[:, order], Wv[:, order], Wo[order], heads)),
        "batch": _call(given(2), Layout.STRIDED),
        "two leading axes": _call(given(2, 9), Layout.FORTRAN),
        "equal sizes": _call(given(4, heads=4, tokens=4, width=4)),
        "one token": _call(given(tokens=1)),
        "one head": _call(given(heads=1, width=5)),
        "identity": _call(_with_identity_as_values(random)),
        "large": _call(_large(plain), words=", one score of 3000", is_extreme=True),
    }


CHECKS = {
    "shape": forms_hold,
    "values": values_of(*VALUES),
    "one-head": values_of("one head"),
    "tokens-reordered": same_as(
        "plain", "tokens reordered", "the same rows in the new order", turned=lambda rows: np.roll(rows, 1, axis=0)
    ),
    "heads-reordered": same_as("plain", "heads reordered", "the same output as before"),
    "large": extremes_of("large", tolerance=LARGE_TOLERANCE),
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _call(given, layout=Layout.PLAIN, *, words="", is_extreme=False):
    x, heads = given[0], given[-1]
    return Call(given, f"{tokens_in_words(x)}, heads={heads}{words}", layout, is_extreme=is_extreme)


def _with_identity_as_values(random):
    """Return a call with one head whose values are the identity, so that the output is the matrix of weights."""
    x = np.linalg.qr(random.standard_normal((5, 5)))[0] * 5**0.5
    Wq, Wk = (random.standard_normal((5, 5)) / 5**0.5 for _ in range(2))
    return x, Wq, Wk, x.T / 5, np.eye(5), 1


def _large(plain):
    """Return the same call with a larger map of queries: the largest score, after its division, is LARGE_SCORE."""
    x, Wq, Wk, Wv, Wo, heads = plain
    q, k = ((x @ W).reshape(len(x), heads, -1) for W in (Wq, Wk))
    scores = np.einsum("thw,shw->hts", q, k) / q.shape[-1] ** 0.5
    return x, Wq * LARGE_SCORE / scores.max(), Wk, Wv, Wo, heads
