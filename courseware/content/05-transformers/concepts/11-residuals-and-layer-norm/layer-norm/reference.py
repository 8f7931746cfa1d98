"""Correct programs for `layer_norm`, in styles that learners use. The first one is the reference.

They are written with NumPy in float64: the judge compares what a learner's tensors hold and never loads PyTorch itself.

Shapes:  x float64[..., tokens, width]; g, b float64[width]; result float64[..., tokens, width]
Limits:  eps is a number above 0; the variance is that of the whole row, with the width as its divisor
Source:  Ba, Kiros & Hinton 2016, "Layer normalization", section 3
"""

import numpy as np


def by_steps(x, g, b, eps=1e-05):
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return g * centred / np.sqrt(variance + eps) + b


def by_numpy_variance(x, g, b, eps=1e-05):
    return (x - np.mean(x, axis=-1, keepdims=True)) * (np.var(x, axis=-1, keepdims=True) + eps) ** -0.5 * g + b


def by_sums(x, g, b, eps=1e-05):
    """A mean is a product with a vector of equal shares."""
    share = np.full(x.shape[-1], 1 / x.shape[-1])
    centred = x - np.einsum("...d,d->...", x, share)[..., np.newaxis]
    variance = np.einsum("...d,...d,d->...", centred, centred, share)
    return np.einsum("...d,...,d->...d", centred, 1 / np.sqrt(variance + eps), g) + b


def by_loops(x, g, b, eps=1e-05):
    result = np.empty_like(x)
    for place in np.ndindex(*x.shape[:-1]):
        mean = sum(x[place]) / len(x[place])
        variance = sum((number - mean) ** 2 for number in x[place]) / len(x[place])
        result[place] = [
            gain * (number - mean) / np.sqrt(variance + eps) + shift
            for number, gain, shift in zip(x[place], g, b, strict=True)
        ]
    return result


STYLES = {"steps": by_steps, "numpy": by_numpy_variance, "sums": by_sums, "loops": by_loops}
