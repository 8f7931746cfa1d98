"""Known-wrong programs for `scores`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

from functools import partial
from itertools import product

import numpy as np


def scores(Q, K, **switches):
    """Return scores in which the switches that are set differ from the right decision."""
    return steps(Q, K, **switches)[-1][1]


def steps(Q, K, *, scale="root", pairs="every", turned="nothing"):
    """Return each step in words with the matrix it gives; the last one is the result."""
    products = PAIRS[pairs](Q, K, turned)
    return [
        ("Multiply every query by every key: a row for each query, a column for each key.", products),
        ("Divide by the root of the width.", products / DIVISORS[scale](Q, K)),
    ]


def _product(Q, K, turned):
    if turned == "scores":
        return K @ np.swapaxes(Q, -1, -2)
    return Q @ (K.T if turned == "all axes" else np.swapaxes(K, -1, -2))


def _cosine_lengths(Q, K):
    return np.linalg.norm(Q, axis=-1)[..., :, np.newaxis] * np.linalg.norm(K, axis=-1)[..., np.newaxis, :]


PAIRS = {
    "every": _product,
    "by position": lambda Q, K, turned: (Q * K).sum(axis=-1),
    "entry by entry": lambda Q, K, turned: Q * K,
}

DIVISORS = {
    "root": lambda Q, K: Q.shape[-1] ** 0.5,
    "none": lambda Q, K: 1.0,
    "width": lambda Q, K: float(Q.shape[-1]),
    "root as a factor": lambda Q, K: Q.shape[-1] ** -0.5,
    "length": lambda Q, K: K.shape[-2] ** 0.5,
    "lengths of both": _cosine_lengths,
}

SWITCHES = {
    "no-scale": {"scale": "none"},
    "divide-by-width": {"scale": "width"},
    "times-root": {"scale": "root as a factor"},
    "scale-by-length": {"scale": "length"},
    "cosine": {"scale": "lengths of both"},
    "pairs-by-position": {"pairs": "by position"},
    "entry-by-entry": {"pairs": "entry by entry"},
    "keys-times-queries": {"turned": "scores"},
    "all-axes-reversed": {"turned": "all axes"},
}

# Among inputs of these shapes the smallest counterexamples are looked for.
LADDER = [
    ((queries, width), (keys, width))
    for queries, keys, width in product((1, 2), (1, 2, 3), (1, 2))
    if (queries + keys) * width <= 8
]
# Reversed axes show themselves only in a batch, and only where its size, keys and width are equal.
LADDER += [(np.array([[[1.0, 0.0]], [[0.0, 1.0]]]), (2, 2, 2))]


def steps_of(switches, Q, K):
    """Return the steps with these switches set; without any, those of the scores themselves."""
    worked = steps(Q, K, **switches)
    return [(words, np.atleast_2d(array)) for words, array in worked]  # pairs by position leave a single row


VARIANTS = {name: partial(scores, **switches) for name, switches in SWITCHES.items()}
