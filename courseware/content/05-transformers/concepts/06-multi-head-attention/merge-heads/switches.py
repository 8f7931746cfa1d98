"""Known-wrong programs for `merge_heads`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

from functools import partial

import numpy as np


def merge_heads(y, **switches):
    """Return merged heads in which the switches that are set differ from the right decision."""
    return steps(y, **switches)[-1][1]


def steps(y, *, takes="heads", joins="columns"):
    """Return each step in words with the array it gives; the last one is the result."""
    heads = np.moveaxis(y, 0, -3) if takes == "first axis" else y
    return [
        ("Bring the tokens in front: for each token in turn, a row for each head.", np.swapaxes(heads, -2, -3)),
        ("Put the rows of a token side by side: one row for each token.", JOINS[joins](heads)),
    ]


def _side_by_side(heads):
    moved = np.swapaxes(heads, -2, -3)
    return moved.reshape(*moved.shape[:-2], -1)


JOINS = {
    "columns": _side_by_side,
    "view": lambda heads: heads.reshape(*heads.shape[:-3], heads.shape[-2], -1),
    "strides": lambda heads: np.moveaxis(heads, -3, -1).reshape(*heads.shape[:-3], heads.shape[-2], -1),
    "rows": lambda heads: heads.reshape(*heads.shape[:-3], -1, heads.shape[-1]),
    "average": lambda heads: heads.mean(axis=-3),
}

SWITCHES = {
    "view-merge": {"joins": "view"},
    "stride-merge": {"joins": "strides"},
    "heads-under-each-other": {"joins": "rows"},
    "averaged": {"joins": "average"},
    "first-axis": {"takes": "first axis"},
}

# Among inputs of these shapes the smallest counterexamples are looked for.
LADDER = [((2, 1, 1),), ((2, 2, 1),), ((2, 1, 2),), ((2, 2, 2),), ((2, 2, 1, 1),)]


def steps_of(switches, y):
    """Return the steps with these switches set; without any, those of the right merge."""
    return steps(y, **switches)


VARIANTS = {name: partial(merge_heads, **switches) for name, switches in SWITCHES.items()}
