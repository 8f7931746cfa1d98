"""Known-wrong programs for `split_heads`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

from functools import partial

import numpy as np


def split_heads(x, heads, **switches):
    """Return a split into heads in which the switches that are set differ from the right decision."""
    return steps(x, heads, **switches)[-1][1]


def steps(x, heads, *, counts="heads", cuts="columns", moves="heads before tokens"):
    """Return each step in words with the array it gives; the last one is the result."""
    width = x.shape[-1] // heads
    if counts == "width":
        heads, width = width, heads
    parts = CUTS[cuts](x, heads, width)  # (..., tokens, heads, width), whatever stands in it
    return [
        ("Cut each token’s row into one part for each head: a row for each token and head.", parts),
        ("Bring the heads in front: for each head in turn, a row for each token.", MOVES[moves](parts)),
    ]


CUTS = {
    "columns": lambda x, heads, width: x.reshape(*x.shape[:-1], heads, width),
    "strides": lambda x, heads, width: np.swapaxes(x.reshape(*x.shape[:-1], width, heads), -1, -2),
    "view": lambda x, heads, width: np.swapaxes(x.reshape(*x.shape[:-2], heads, x.shape[-2], width), -2, -3),
}

MOVES = {
    "heads before tokens": lambda parts: np.swapaxes(parts, -2, -3),
    "nothing": lambda parts: parts,
    "heads before everything": lambda parts: np.moveaxis(parts, -2, 0),
}

SWITCHES = {
    "view-split": {"cuts": "view"},
    "stride-split": {"cuts": "strides"},
    "heads-behind-tokens": {"moves": "nothing"},
    "heads-before-batch": {"moves": "heads before everything"},
    "heads-for-width": {"counts": "width"},
}

# Among inputs of these shapes the smallest counterexamples are looked for; the second argument is the number of heads.
LADDER = [((1, 4), 2), ((2, 2), 2), ((2, 4), 2), ((3, 2), 2), ((2, 6), 2), ((2, 1, 2), 2)]


def steps_of(switches, x, heads):
    """Return the steps with these switches set; without any, those of the right split."""
    return steps(x, heads, **switches)


VARIANTS = {name: partial(split_heads, **switches) for name, switches in SWITCHES.items()}
