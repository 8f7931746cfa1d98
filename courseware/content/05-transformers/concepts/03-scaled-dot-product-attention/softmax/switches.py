"""Known-wrong programs for `softmax`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

from functools import partial

import numpy as np


def softmax(x, axis=None, **switches):
    """Return a softmax in which the switches that are set differ from the right decision."""
    return steps(x, axis, **switches)[-1][1]


def steps(
    x, axis=None, *, along="asked", shift="maximum", amounts="exponentials", divides=True, keeps="both", writes=False
):
    """Return each step in words with the array it gives; the last one is the result."""
    axis = _axis(x, axis, along)
    shifted = x - SHIFTS[shift](x, axis=axis, keepdims=keeps in ("both", "maximum"))
    positive = AMOUNTS[amounts](shifted)
    result = positive / positive.sum(axis=axis, keepdims=keeps in ("both", "sum")) if divides else positive
    if writes:
        x[...] = result
    return [
        ("Subtract the largest number along the axis.", shifted),
        ("Exponentiate.", positive),
        ("Divide by the sum along the axis.", result),
    ]


def _axis(x, asked, along):
    """Return along which axis the program works; `asked` is None where the caller leaves it to the default."""
    if along == "everything":
        return tuple(range(x.ndim))
    if along == "first":
        return 0
    if along == "first by default":
        return 0 if asked is None else asked
    return -1 if asked is None or along == "last" else asked


SHIFTS = {
    "maximum": np.max,
    "minimum": np.min,
    "absolute maximum": lambda x, axis, keepdims: np.abs(x).max(axis=axis, keepdims=keepdims),
    "global maximum": lambda x, axis, keepdims: x.max(),
    "nothing": lambda x, axis, keepdims: 0.0,
}

AMOUNTS = {
    "exponentials": np.exp,
    "numbers": lambda x: x,
    "sigmoids": lambda x: (1.0 + np.tanh(x / 2.0)) / 2.0,  # equal to 1 / (1 + exp(-x)), finite
}

SWITCHES = {
    "softmax-over-columns": {"along": "first"},
    "first-axis-by-default": {"along": "first by default"},
    "softmax-over-everything": {"along": "everything"},
    "ignores-axis": {"along": "last"},
    "no-exponential": {"shift": "nothing", "amounts": "numbers"},
    "sigmoid": {"shift": "nothing", "amounts": "sigmoids", "divides": False},
    "no-division": {"divides": False},
    "bare-exponentials": {"shift": "nothing", "divides": False},
    "drops-axis": {"keeps": "maximum"},
    "drops-axis-unshifted": {"keeps": "maximum", "shift": "nothing"},
    "drops-axis-of-maximum": {"keeps": "sum"},
    "drops-axis-twice": {"keeps": "nothing"},
    "writes-into-x": {"writes": True},
    "no-shift": {"shift": "nothing"},
    "global-maximum": {"shift": "global maximum"},
    "absolute-maximum": {"shift": "absolute maximum"},
    "minimum": {"shift": "minimum"},
}

# Among inputs of these shapes the smallest counterexamples are looked for; the second argument is the axis.
LADDER = [((1, 2),), ((2, 1),), ((2, 2),), ((1, 3),), ((3, 1),), ((2, 2), 0), ((2, 2), 1), ((2, 3),), ((3, 2),)]


def steps_of(switches, x, axis=None):
    """Return the steps with these switches set; without any, those of softmax itself."""
    return steps(x.copy(), axis, **switches)


VARIANTS = {name: partial(softmax, **switches) for name, switches in SWITCHES.items()}
