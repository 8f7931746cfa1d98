"""Known-wrong programs for `multi_head_attention`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

from functools import partial

import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, heads, **switches):
    """Return multi-head attention in which the switches that are set differ from the right decision."""
    return steps(x, Wq, Wk, Wv, Wo, heads, **switches)[-1][1]


def steps(
    x,
    Wq,
    Wk,
    Wv,
    Wo,
    heads,
    *,
    counts="heads",
    maps="right",
    splits="columns",
    scale="head",
    over="keys",
    merges="columns",
    joins="side by side",
    shift=True,
):
    """Return each step in words with the array it gives, heads under each other; the last one is the result."""
    heads = 1 if counts == "one" else heads
    apply = MAPS[maps]
    queries, keys, values = (SPLITS[splits](apply(x, W, heads), heads) for W in (Wq, Wk, Wv))
    divisor = {
        "head": queries.shape[-1] ** 0.5,
        "width": queries.shape[-1],
        "model": x.shape[-1] ** 0.5,
        "heads": heads**0.5,
        "length": x.shape[-2] ** 0.5,
        "none": 1.0,
    }[scale]
    scores = queries @ np.swapaxes(keys, -1, -2) / divisor
    weights = _softmax(scores, axis={"keys": -1, "queries": -2, "heads": -3}[over], shift=shift)
    found = weights @ values
    merged = MERGES[merges](found, x.shape)
    result = {
        "side by side": lambda: apply(merged, Wo, 1 if maps == "slices" else heads),
        "average": lambda: apply(merged, Wo, heads) / heads,
        "no map": lambda: merged,
    }[joins]()
    return [
        ("Map the tokens to queries and split them: for each head in turn, a row for each token.", queries),
        ("Do the same for the keys.", keys),
        ("Do the same for the values.", values),
        ("In each head, multiply queries by keys and divide by the root of the head’s width.", scores),
        ("Turn each query’s scores in each head into weights that add up to 1.", weights),
        ("In each head, mix the values with these weights.", found),
        ("Put the heads side by side: one row for each token.", merged),
        ("Multiply by the output map.", result),
    ]


def _softmax(scores, *, axis, shift):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True) if shift else scores)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def _blocks(x, W, heads):
    """Map each head's columns of x by themselves, as if every head were given a slice of the tokens."""
    owner = np.arange(W.shape[0]) * heads // W.shape[0]
    return x @ np.where(owner[:, np.newaxis] == owner, W, 0.0)


MAPS = {
    "right": lambda x, W, heads: x @ W,
    "transposed": lambda x, W, heads: x @ W.T,
    "slices": _blocks,
}

SPLITS = {
    "columns": lambda y, heads: np.swapaxes(y.reshape(*y.shape[:-1], heads, -1), -2, -3),
    "strides": lambda y, heads: np.moveaxis(y.reshape(*y.shape[:-1], -1, heads), -1, -3),
    "view": lambda y, heads: y.reshape(*y.shape[:-2], heads, y.shape[-2], -1),
}

MERGES = {
    "columns": lambda found, shape: np.swapaxes(found, -2, -3).reshape(shape),
    "view": lambda found, shape: found.reshape(shape),
}

SWITCHES = {
    "no-scale": {"scale": "none"},
    "divide-by-width": {"scale": "width"},
    "scale-by-model-width": {"scale": "model"},
    "scale-by-heads": {"scale": "heads"},
    "scale-by-length": {"scale": "length"},
    "view-split": {"splits": "view"},
    "view-merge": {"merges": "view"},
    "view-both": {"splits": "view", "merges": "view"},
    "stride-split": {"splits": "strides"},
    "softmax-over-heads": {"over": "heads"},
    "softmax-over-queries": {"over": "queries"},
    "one-wide-head": {"counts": "one"},
    "slices-of-tokens": {"maps": "slices"},
    "averaged": {"joins": "average"},
    "no-output-map": {"joins": "no map"},
    "maps-transposed": {"maps": "transposed"},
    "no-shift": {"shift": False},
}

# Among inputs of these shapes the smallest counterexamples are looked for. Only the tokens are searched through; the
# maps are small ones that keep the columns readable, one of them with something to mix.
_MIXED = np.array([[1.0, 1.0], [0.0, 1.0]])


def _rung(tokens, width, heads, *, Wq=None, Wo=None):
    same = np.eye(width)
    return ((tokens, width), same if Wq is None else Wq, same, same, same if Wo is None else Wo, heads)


LADDER = [
    *(_rung(tokens, 2, 2) for tokens in (1, 2, 3)),
    *(_rung(tokens, 2, 2, Wo=_MIXED) for tokens in (1, 2)),
    _rung(2, 2, 2, Wq=_MIXED),
    _rung(2, 4, 2),
    _rung(2, 6, 3),  # with heads of width 2 in a model of width 4 two wrong scales are the same number
]


def steps_of(switches, x, Wq, Wk, Wv, Wo, heads):
    """Return the steps with these switches set; without any, those of multi-head attention itself."""
    return steps(x, Wq, Wk, Wv, Wo, heads, **switches)


VARIANTS = {name: partial(multi_head_attention, **switches) for name, switches in SWITCHES.items()}
