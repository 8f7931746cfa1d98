"""Known-wrong programs for `rms_norm`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

from functools import partial

import numpy as np

AXES = {"width": -1, "first axis": 0, "tokens and width": (-2, -1)}


def rms_norm(x, g, eps=1e-06, **switches):
    """Return the division by the root mean square in which the switches that are set differ from the right decision."""
    return steps(x, g, eps, **switches)[-1][1]


def steps(x, g, eps=1e-06, *, over="width", centres="nothing", divisor="width", scale="root", gain=True):
    """Return each step in words with the matrix it gives; the last one is the result."""
    axis = AXES[over]
    mean = x.mean(axis=axis, keepdims=True)
    above = x - mean if centres == "everything" else x
    squared = (x - mean if centres in ("everything", "squares") else x) ** 2
    squares = squared.sum(axis=axis, keepdims=True) if divisor == "none" else squared.mean(axis=axis, keepdims=True)
    below = SCALES[scale](squares, eps)
    return [
        ("Take the numbers as they are, without subtracting anything.", above),
        ("Take the mean of the squares: one number for each token.", squares),
        ("Add eps and take the root, which is what to divide by.", below),
        ("Divide, so that each token has a root mean square of 1.", above / below),
        ("Multiply each column by its gain.", above / below * (g if gain else 1.0)),
    ]


SCALES = {
    "root": lambda squares, eps: np.sqrt(squares + eps),
    "squares": lambda squares, eps: squares + eps,
    "eps outside": lambda squares, eps: np.sqrt(squares) + eps,
    "no eps": lambda squares, eps: np.sqrt(squares),
}

SWITCHES = {
    "centres": {"centres": "everything"},
    "standard-deviation": {"centres": "squares"},
    "over-first-axis": {"over": "first axis"},
    "over-tokens-and-width": {"over": "tokens and width"},
    "divides-by-length": {"divisor": "none"},
    "divides-by-squares": {"scale": "squares"},
    "eps-outside": {"scale": "eps outside"},
    "no-eps": {"scale": "no eps"},
    "no-gain": {"gain": False},
}

# Among inputs of these shapes the smallest counterexamples are looked for.
# Where eps stands is seen if it is large.
LADDER = [((tokens, 2), (2,)) for tokens in (1, 2)] + [((1, 2), (2,), 1.0)]


def steps_of(switches, x, g, eps=1e-06):
    """Return the steps with these switches set; without any, those of the right division."""
    return steps(x, g, eps, **switches)


VARIANTS = {name: partial(rms_norm, **switches) for name, switches in SWITCHES.items()}
