"""The checks of `SelfAttention`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. For each call the learner's layer is built anew and gets its parameters by name. Sizes are all
different, because equal sizes hide exchanged axes; one call with equal sizes then shows the forms in which an exchange
goes unnoticed. The maps are scaled so that scores have a standard deviation of about 1.
"""

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
    sums_of,
    values_of,
)
from grader.judge.drawing import distinct_sizes, drawn_mask, tokens_in_words
from grader.judge.probing import Call
from grader.sandbox.wire import Layout

WEIGHTS_PROBE = "identity"

NAMES = tuple(f"{name}.{kind}" for name in ("query", "key", "value", "output") for kind in ("weight", "bias"))
# So near to 1 that of all weights of all calls none stays, and yet a number by whose complement one can divide.
DROPS_ALL = 1.0 - 1e-12
LARGE_SCORE = 3000.0  # exp overflows above 709 in float64 and 88 in float32, also after a division by a width of 4
# A score of 3000 has an error of about 2e-4 in float32, or a few times that after two maps, and the weights have it too.
LARGE_TOLERANCE = Tolerance(relative=1e-7, absolute=1e-9, single_precision=5e-2, reason="the rounding of large scores")

VALUES = ("plain", "batch", "two leading axes", "one token", "equal sizes")
MASKED = ("masked", "mask in a batch", "masked, equal sizes")


def calls(random):
    """Return the calls of one draw by name."""
    tokens, width, inner = distinct_sizes(random, 3)

    def given(*leading, tokens=tokens, width=width, inner=inner):
        maps = [(inner, width)] * 3 + [(width, inner)]
        parameters = [
            each
            for rows, columns in maps
            for each in (random.standard_normal((rows, columns)) / columns**0.5, random.standard_normal(rows) / 2)
        ]
        return (random.standard_normal((*leading, tokens, width)), *parameters)

    plain = given()
    square = given(4, tokens=4, width=4, inner=4)
    ones = given(width=4, inner=4)
    return {
        "plain": _call(plain),
        "again": _call((*plain, None, 0.0, "evaluation", "second output")),
        "tokens reordered": _call((np.roll(plain[0], 1, axis=0), *plain[1:])),
        "batch": _call(given(2), layout=Layout.STRIDED),
        "two leading axes": _call(given(2, 9), layout=Layout.FORTRAN),
        "one token": _call(given(tokens=1)),
        "equal sizes": _call(square),
        "ones": _call((*ones[:5], np.zeros((4, 4)), np.ones(4), np.eye(4), np.zeros(4))),
        "identity": _call(_with_identity_as_values(random)),
        "dropout in evaluation": _call((*plain, None, DROPS_ALL), words=", dropout of nearly 1, evaluation mode"),
        "masked": _call((*plain, drawn_mask(random, tokens)), words=", with keep", is_further=True),
        "mask in a batch": _call((*given(2), drawn_mask(random, 2, tokens)), words=", with keep", is_further=True),
        "masked, equal sizes": _call((*square, drawn_mask(random, 4, 4)), words=", with keep", is_further=True),
        "dropout in training": _call(
            (*plain, None, DROPS_ALL, "training"), words=", dropout of nearly 1, training mode", is_further=True
        ),
        "half of the weights": _call(
            (*_with_equal_weights(random), None, 0.5, "training", "drops"),
            words=", weights all equal, dropout of 0.5, training mode",
            is_further=True,
        ),
        "parameters": _call((*plain, None, 0.0, "evaluation", "parameters"), is_further=True),
        "gradients": _call((*plain, None, 0.0, "evaluation", "gradients"), is_further=True),
        "large": _call(_large(plain), words=", one score of 3000", is_extreme=True),
    }


def parameters(draw):
    probe = draw["parameters"]
    *has, further = probe.finite_output()
    missing = [name for name, is_there in zip(NAMES, has, strict=True) if not is_there]
    if not missing and not further:
        return HOLDS
    faults = [f"no {', '.join(missing)} of the right shape"] if missing else []
    faults += [f"{int(further)} further"] if further else []
    return Finding(False, "the eight parameters of the brief", " and ".join(faults), None, probe.tried_with)


def training(draw):
    probe = draw["dropout in training"]
    words = "nothing but the bias of the output map, since every weight is dropped"
    found = equal_hold(probe, probe.finite_output(), probe.expected, draw.tolerance, words)
    probe = draw["half of the weights"]
    agree, are_whole = probe.finite_output()
    if not found.holds or (agree and are_whole):
        return found
    got = "sums of something else" if agree else "rows whose columns have lost different weights"
    return Finding(False, "in each row a sum of weights that are either 0 or doubled", got, None, probe.tried_with)


def gradients(draw):
    probe = draw["gradients"]
    without = [name for name, is_reached in zip(NAMES, probe.finite_output(), strict=True) if not is_reached]
    if not without:
        return HOLDS
    return Finding(False, "a gradient for each parameter", f"none for {', '.join(without)}", None, probe.tried_with)


CHECKS = {
    "shape": forms_hold,
    "dtype": dtypes_hold,
    "parameters": parameters,
    "values": values_of(*VALUES),
    "sums": sums_of("tokens"),
    "tokens-reordered": same_as(
        "plain", "tokens reordered", "the same rows in the new order", turned=lambda rows: np.roll(rows, 1, axis=0)
    ),
    "masked": values_of(*MASKED),
    "evaluation": same_as("plain", "dropout in evaluation", "the same output as without dropout"),
    "training": training,
    "gradients": gradients,
    "large": extremes_of("large", tolerance=LARGE_TOLERANCE),
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _call(given, *, words="", layout=Layout.PLAIN, is_further=False, is_extreme=False):
    x, weight = given[:2]
    sizes = f"{tokens_in_words(x)}, inner {len(weight)}"
    return Call(given, sizes + words, layout, is_further=is_further, is_extreme=is_extreme)


def _with_equal_weights(random):
    """Return a call whose weights are all equal and whose values are 1, so that a row counts the weights that stay.

    Of an odd number of tokens no half is whole, so a layer that drops nothing is told from one that does.
    """
    tokens, width = 9, 4
    none, bias = np.zeros((width, width)), np.zeros(width)
    x, Wk = random.standard_normal((tokens, width)), random.standard_normal((width, width))
    return x, none, bias, Wk, bias, none, np.ones(width), np.eye(width), bias


def _with_identity_as_values(random):
    """Return a call whose values are the identity and whose output map is too, so that it gives the weights."""
    x = np.linalg.qr(random.standard_normal((5, 5)))[0] * 5**0.5
    Wq, Wk = (random.standard_normal((5, 5)) / 5**0.5 for _ in range(2))
    bq, bk = random.standard_normal((2, 5)) / 2
    return x, Wq, bq, Wk, bk, x / 5, np.zeros(5), np.eye(5), np.zeros(5)


def _large(plain):
    """Return the same call with a larger map to queries: the largest score, after its division, is LARGE_SCORE."""
    x, Wq, bq, Wk, bk, *rest = plain
    largest = ((x @ Wq.T + bq) @ (x @ Wk.T + bk).T).max() / len(Wq) ** 0.5
    factor = LARGE_SCORE / abs(largest)
    return x, Wq * factor, bq * factor, Wk, bk, *rest
