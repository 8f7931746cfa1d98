"""Known-wrong programs for `causal_attention`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

from functools import partial
from itertools import product

import numpy as np


def causal_attention(Q, K, V, window=None, **switches):
    """Return causal attention in which the switches that are set differ from the right decision."""
    return steps(Q, K, V, window, **switches)[-1][1]


def steps(
    Q,
    K,
    V,
    window=None,
    *,
    scale="root",
    keeps="past",
    band="right",
    hides="minus infinity",
    over="keys",
    shift=True,
    turned="nothing",
):
    """Return each step in words with the matrix it gives; the last one is the result."""
    products = K @ np.swapaxes(Q, -1, -2) if turned == "scores" else Q @ np.swapaxes(K, -1, -2)
    divisor = {"root": Q.shape[-1] ** 0.5, "width": Q.shape[-1], "length": Q.shape[-2] ** 0.5}.get(scale, 1.0)
    scores = products / divisor
    allowed = _allowed(Q.shape[-2], window, keeps, band)
    weights = HIDES[hides](scores, allowed, partial(_softmax, over=over, shift=shift))
    if scale == "after":
        weights = weights / Q.shape[-1] ** 0.5
    if turned == "weights":
        weights = np.swapaxes(weights, -1, -2)
    return [
        ("Multiply every query by every key: a row for each query, a column for each key.", products),
        ("Divide by the root of the width to get the scores.", scores),
        ("Mark the keys that each query may use: 1 for an allowed one, 0 for a hidden one.", allowed * 1.0),
        ("Turn the allowed scores of each row into weights that add up to 1.", weights),
        ("Mix the values with these weights.", weights @ V),
    ]


def _allowed(tokens, window, keeps, band):
    behind = np.arange(tokens)[:, np.newaxis] - np.arange(tokens)  # how many places the key stands before the query
    allowed = {
        "past": behind >= 0,
        "past and next": behind >= -1,
        "past without itself": behind >= 1,
        "itself and future": behind <= 0,
        "future": behind < 0,
        "everything": np.full(behind.shape, True),
    }[keeps]
    if window is None or band == "ignored":
        return allowed
    if band == "both sides":
        return np.abs(behind) < window
    return allowed & (behind < window + {"right": 0, "one more": 1, "one fewer": -1}[band])


def _softmax(scores, *, over, shift):
    axis = {"keys": -1, "queries": -2, "everything": (-2, -1)}[over]
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True) if shift else scores)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def _renormalised(weights):
    return weights / weights.sum(axis=-1, keepdims=True)


HIDES = {
    "minus infinity": lambda scores, allowed, softmax: softmax(np.where(allowed, scores, -np.inf)),
    "minus a billion": lambda scores, allowed, softmax: softmax(np.where(allowed, scores, -1e9)),
    "minus a hundred": lambda scores, allowed, softmax: softmax(np.where(allowed, scores, -100.0)),
    "minus a thousand": lambda scores, allowed, softmax: softmax(np.where(allowed, scores, -1000.0)),
    "minus ten": lambda scores, allowed, softmax: softmax(np.where(allowed, scores, -10.0)),
    "ten less": lambda scores, allowed, softmax: softmax(np.where(allowed, scores, scores - 10.0)),
    "zero": lambda scores, allowed, softmax: softmax(np.where(allowed, scores, 0.0)),
    "one more": lambda scores, allowed, softmax: softmax(scores + allowed),
    "afterwards": lambda scores, allowed, softmax: softmax(scores) * allowed,
    "afterwards, shared anew": lambda scores, allowed, softmax: _renormalised(softmax(scores) * allowed),
    "infinity times zero": lambda scores, allowed, softmax: softmax(scores + -np.inf * (1.0 - allowed)),
}

SWITCHES = {
    "no-mask": {"keeps": "everything", "band": "ignored"},
    "leaks-next": {"keeps": "past and next"},
    "excludes-itself": {"keeps": "past without itself"},
    "excludes-itself-by-a-number": {"keeps": "past without itself", "hides": "minus a billion"},
    "transposed-mask": {"keeps": "itself and future"},
    "inverted-mask": {"keeps": "future"},
    "inverted-mask-by-a-number": {"keeps": "future", "hides": "minus a billion"},
    "mask-after-softmax": {"hides": "afterwards"},
    "zero-scores": {"hides": "zero"},
    "mask-added": {"hides": "one more"},
    "minus-ten": {"hides": "minus ten"},
    "ten-less": {"hides": "ten less"},
    "infinity-times-zero": {"hides": "infinity times zero"},
    "window-one-more": {"band": "one more"},
    "window-one-fewer": {"band": "one fewer"},
    "window-both-sides": {"band": "both sides"},
    "ignores-window": {"band": "ignored"},
    "no-scale": {"scale": "none"},
    "divide-by-width": {"scale": "width"},
    "scale-by-length": {"scale": "length"},
    "scale-after": {"scale": "after"},
    "softmax-over-queries": {"over": "queries"},
    "softmax-over-everything": {"over": "everything"},
    "weights-transposed": {"turned": "weights"},
    "keys-times-queries": {"turned": "scores"},
    "shared-anew-afterwards": {"hides": "afterwards, shared anew"},
    "minus-a-hundred": {"hides": "minus a hundred"},
    "minus-a-thousand": {"hides": "minus a thousand"},
    "no-shift": {"shift": False},
}

# Among inputs of these shapes the smallest counterexamples are looked for; the fourth argument is the window.
LADDER = [
    ((tokens, width), (tokens, width), (tokens, 1), *window)
    for tokens, width, window in product((1, 2, 3), (1, 2), ((), (1,), (2,)))
    if tokens * (2 * width + 1) <= (9 if window else 10) and not (window and width > 1)
]
# A weight of 0.00005 is seen if the value is large, and a window that is open to both sides in a longer text.
LADDER += [((2, 1), (2, 1), np.array([[0.0], [1e5]])), (np.ones((4, 1)), (4, 1), (4, 1), 3)]


def steps_of(switches, Q, K, V, window=None):
    """Return the steps with these switches set; without any, those of causal attention itself."""
    return steps(Q, K, V, window, **switches)


VARIANTS = {name: partial(causal_attention, **switches) for name, switches in SWITCHES.items()}
