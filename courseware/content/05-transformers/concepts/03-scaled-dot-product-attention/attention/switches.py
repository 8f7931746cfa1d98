"""Known-wrong programs for `attention`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

from functools import partial
from itertools import product

import numpy as np


def attention(Q, K, V, **switches):
    """Return attention in which the switches that are set differ from the right decision."""
    return steps(Q, K, V, **switches)[-1][1]


def steps(Q, K, V, *, scale="root", normalise="softmax", over="keys", shift=True, turned="nothing"):
    """Return each step in words with the matrix it gives; the last one is the result."""
    products = _products(Q, K, turned)
    divisor = {"root": Q.shape[-1] ** 0.5, "width": Q.shape[-1], "length": K.shape[-2] ** 0.5}.get(scale, 1.0)
    scores = products / divisor
    weights = NORMALISERS[normalise](scores, over, shift)
    if scale == "after":
        weights = weights / Q.shape[-1] ** 0.5
    if turned == "weights":
        weights = np.swapaxes(weights, -1, -2)
    return [
        ("Multiply every query by every key: a row for each query, a column for each key.", products),
        ("Divide by the root of the width to get the scores.", scores),
        ("Turn each query’s scores into weights that add up to 1.", weights),
        ("Mix the values with these weights.", weights @ V),
    ]


def _products(Q, K, turned):
    if turned == "scores":
        return K @ np.swapaxes(Q, -1, -2)
    return Q @ (K.T if turned == "all axes" else np.swapaxes(K, -1, -2))


def _softmax(scores, over, shift):
    axis = {"keys": -1, "queries": -2, "everything": (-2, -1)}[over]
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True) if shift else scores)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


NORMALISERS = {
    "softmax": _softmax,
    "nothing": lambda scores, over, shift: scores,
    "sigmoid": lambda scores, over, shift: (1.0 + np.tanh(scores / 2.0)) / 2.0,  # equal to 1 / (1 + exp(-s)), finite
    "shares": lambda scores, over, shift: scores / scores.sum(axis=-1, keepdims=True),
    "equal": lambda scores, over, shift: np.full_like(scores, 1.0 / scores.shape[-1]),
}

SWITCHES = {
    "no-scale": {"scale": "none"},
    "divide-by-width": {"scale": "width"},
    "scale-by-length": {"scale": "length"},
    "softmax-over-queries": {"over": "queries"},
    "softmax-over-everything": {"over": "everything"},
    "scale-after": {"scale": "after"},
    "weights-transposed": {"turned": "weights"},
    "keys-times-queries": {"turned": "scores"},
    "all-axes-reversed": {"turned": "all axes"},
    "no-softmax": {"normalise": "nothing"},
    "sigmoid": {"normalise": "sigmoid"},
    "linear-shares": {"normalise": "shares"},
    "mean-of-values": {"normalise": "equal"},
    "no-shift": {"shift": False},
}

# Among inputs of these shapes the smallest counterexamples are looked for.
LADDER = [
    ((queries, width), (keys, width), (keys, 1))
    for queries, keys, width in product((1, 2), (1, 2, 3), (1, 2))
    if queries * width + keys * width + keys <= 10
]
# Reversed axes show themselves only in a batch, and only where its size, keys and width are equal.
LADDER += [(np.array([[[1.0, 0.0]], [[0.0, 1.0]]]), (2, 2, 2), np.array([[[2.0], [0.0]], [[0.0], [1.0]]]))]


def steps_of(switches, Q, K, V):
    """Return the steps with these switches set; without any, those of attention itself."""
    return steps(Q, K, V, **switches)


VARIANTS = {name: partial(attention, **switches) for name, switches in SWITCHES.items()}
