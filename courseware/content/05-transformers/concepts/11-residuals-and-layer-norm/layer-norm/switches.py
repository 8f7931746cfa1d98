"""Known-wrong programs for `layer_norm`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

from functools import partial

import numpy as np

AXES = {"width": -1, "first axis": 0, "tokens and width": (-2, -1), "tokens": -2}


def layer_norm(x, g, b, eps=1e-05, **switches):
    """Return layer normalization in which the switches that are set differ from the right decision."""
    return steps(x, g, b, eps, **switches)[-1][1]


def steps(x, g, b, eps=1e-05, *, over="width", centres=True, divisor="width", scale="root", learned="gain, shift"):
    """Return each step in words with the matrix it gives; the last one is the result."""
    axis = AXES[over]
    mean = x.mean(axis=axis, keepdims=True) if centres else np.zeros_like(x.mean(axis=axis, keepdims=True))
    centred = x - mean
    squares = (centred**2).mean(axis=axis, keepdims=True)
    count = x.size / squares.size
    variance = squares * count / (count - 1) if divisor == "width less one" and count > 1 else squares
    if divisor == "width less one" and count == 1:
        variance = squares * np.nan  # 0 divided by 0, as PyTorch answers
    below = SCALES[scale](variance, eps)
    standard = centred / below
    gain, shift = {"gain, shift": (g, b), "shift, gain": (b, g), "none": (1.0, 0.0)}[learned]
    return [
        ("Subtract each token’s own mean from its numbers.", centred),
        ("Take the mean of the squares, the variance: one number for each token.", variance),
        ("Add eps and take the root, which is what to divide by.", below),
        ("Divide, so that each token has mean 0 and variance 1.", standard),
        ("Multiply each column by its gain and add its shift.", standard * gain + shift),
    ]


SCALES = {
    "root": lambda variance, eps: np.sqrt(variance + eps),
    "variance": lambda variance, eps: variance + eps,
    "eps outside": lambda variance, eps: np.sqrt(variance) + eps,
    "no eps": lambda variance, eps: np.sqrt(variance),
}

SWITCHES = {
    "over-first-axis": {"over": "first axis"},
    "over-tokens": {"over": "tokens"},
    "over-tokens-and-width": {"over": "tokens and width"},
    "unbiased": {"divisor": "width less one"},
    "divides-by-variance": {"scale": "variance"},
    "does-not-centre": {"centres": False},
    "eps-outside": {"scale": "eps outside"},
    "no-eps": {"scale": "no eps"},
    "gain-and-shift-exchanged": {"learned": "shift, gain"},
    "no-gain": {"learned": "none"},
}

# Among inputs of these shapes the smallest counterexamples are looked for.
# Two axes of tokens tell the first one from the last but one; where eps stands is seen if it is large.
LADDER = [((*tokens, 2), (2,), (2,)) for tokens in ((1,), (2,), (1, 2), (2, 1))] + [((1, 2), (2,), (2,), 1.0)]


def steps_of(switches, x, g, b, eps=1e-05):
    """Return the steps with these switches set; without any, those of layer normalization itself."""
    return steps(x, g, b, eps, **switches)


VARIANTS = {name: partial(layer_norm, **switches) for name, switches in SWITCHES.items()}
