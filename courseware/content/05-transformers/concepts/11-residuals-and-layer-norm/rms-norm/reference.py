"""Correct programs for `rms_norm`, in styles that learners use. The first one is the reference.

They are written with NumPy in float64: the judge compares what a learner's tensors hold and never loads PyTorch itself.

Shapes:  x float64[..., tokens, width]; g float64[width]; result float64[..., tokens, width]
Limits:  eps is a number above 0
Source:  Zhang & Sennrich 2019, "Root mean square layer normalization", section 3
"""

import numpy as np


def by_steps(x, g, eps=1e-06):
    return g * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


def by_norm(x, g, eps=1e-06):
    """The sum of squares is the square of the length."""
    length = np.linalg.norm(x, axis=-1, keepdims=True)
    return x * (length**2 / x.shape[-1] + eps) ** -0.5 * g


def by_sums(x, g, eps=1e-06):
    squares = np.einsum("...d,...d->...", x, x) / x.shape[-1]
    return np.einsum("...d,...,d->...d", x, np.reciprocal(np.sqrt(squares + eps)), g)


def by_loops(x, g, eps=1e-06):
    result = np.empty_like(x)
    for place in np.ndindex(*x.shape[:-1]):
        squares = sum(number * number for number in x[place]) / len(x[place])
        result[place] = [gain * number / np.sqrt(squares + eps) for number, gain in zip(x[place], g, strict=True)]
    return result


STYLES = {"steps": by_steps, "norm": by_norm, "sums": by_sums, "loops": by_loops}
