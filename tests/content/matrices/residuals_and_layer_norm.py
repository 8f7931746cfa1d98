"""The matrices that the questions about layer normalization ask for, and those that their wrong answers are."""

import numpy as np


def gain_and_shift(a, b):
    tokens = np.array([[1, 1, 5, 5], [2, 8, 8, 2]], dtype=float)
    gain, shift = np.array([a, 1, 2, 1]), np.array([0, b, 1, 0])

    def standardised(axis, **spread):
        return (tokens - tokens.mean(axis=axis, keepdims=True)) / tokens.std(axis=axis, keepdims=True, **spread)

    return gain * standardised(-1) + shift, {
        "m11-always-standard": standardised(-1),
        "m11-rms-centres": gain * tokens / np.sqrt((tokens**2).mean(axis=-1, keepdims=True)) + shift,
        "m11-unbiased-variance": gain * standardised(-1, ddof=1) + shift,
        "m11-batch-stats": gain * standardised(0) + shift,
        "slip-swap": shift * standardised(-1) + gain,
    }


DEFINED = {"residuals-and-layer-norm/gain-and-shift": gain_and_shift}
