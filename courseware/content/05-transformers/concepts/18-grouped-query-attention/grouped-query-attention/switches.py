"""Known-wrong programs for `grouped_query_attention`, as one family: each switch is one decision taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`. `expands` is right in its
values: it copies keys and values for every query head.
"""

from functools import partial

import numpy as np


def grouped_query_attention(q, k, v, **switches):
    """Return grouped attention in which the switches that are set differ from the right decision."""
    return steps(q, k, v, **switches)[-1][1]


def steps(q, k, v, *, shares="neighbours", asks="each head", scale="root", over="keys"):
    """Return each step in words with the matrix it gives; the last one is the result."""
    heads, times = q.shape[-3], q.shape[-3] // k.shape[-3]
    keys, values = (SHARES[shares](each, heads) for each in (k, v))
    if asks != "each head":
        grouped = q.reshape(*q.shape[:-3], k.shape[-3], times, *q.shape[-2:]).mean(axis=-3)
        if asks == "group":
            q, keys, values = grouped, k, v
        else:
            q = np.repeat(grouped, times, axis=-3)
    divisor = {
        "root": q.shape[-1] ** 0.5,
        "none": 1.0,
        "key heads": k.shape[-3] ** 0.5,
        "all heads": (q.shape[-1] * heads) ** 0.5,
    }[scale]
    scores = q @ np.swapaxes(keys, -1, -2) / divisor
    axis = -1 if over == "keys" else -2
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    weights = weights / weights.sum(axis=axis, keepdims=True)
    return [
        ("Take for each query head the keys that it uses.", keys),
        ("Multiply each query by its keys and divide by the root of the width.", scores),
        ("Turn the scores of each query into weights that add up to 1.", weights),
        ("Mix the values of the same head with these weights.", weights @ values),
    ]


def _tiled(x, heads):
    return np.concatenate([x] * (heads // x.shape[-3]), axis=-3)


def _stretched(x, heads):
    """Repeat along the tokens, and cut what comes of it into heads."""
    times = heads // x.shape[-3]
    return np.repeat(x, times, axis=-2).reshape(*x.shape[:-3], heads, *x.shape[-2:])


SHARES = {
    "neighbours": lambda x, heads: np.repeat(x, heads // x.shape[-3], axis=-3),
    "in turn": _tiled,
    "the first": lambda x, heads: np.repeat(x[..., :1, :, :], heads, axis=-3),
    "along the tokens": _stretched,
}

SWITCHES = {
    "tiles": {"shares": "in turn"},
    "first-key-head-only": {"shares": "the first"},
    "repeats-along-tokens": {"shares": "along the tokens"},
    "averages-queries": {"asks": "group"},
    "same-weights-in-group": {"asks": "group, for each head"},
    "expands": {},
    "scale-by-key-heads": {"scale": "key heads"},
    "scale-by-all-heads": {"scale": "all heads"},
    "no-scale": {"scale": "none"},
    "softmax-over-queries": {"over": "queries"},
}

# Among inputs of these shapes the smallest counterexamples are looked for.
LADDER = [((heads, 1, 1), (kept, keys, 1), (kept, keys, 1)) for heads, kept, keys in ((2, 1, 2), (4, 2, 1))]
# Numbers of heads and widths that all differ tell one scale from another.
LADDER += [((4, 1, 1), (2, 2, 1), np.array([[[0.0], [2.0]], [[0.0], [2.0]]]))]
LADDER += [((2, 1, 3), np.array([np.eye(2, 3), np.eye(2, 3)]), np.array([[[0.0], [2.0]], [[0.0], [2.0]]]))]


def steps_of(switches, q, k, v):
    """Return the steps with these switches set; without any, those of grouped attention itself."""
    return steps(q, k, v, **switches)


VARIANTS = {name: partial(grouped_query_attention, **switches) for name, switches in SWITCHES.items()}
