"""Correct programs for `rope`, in styles that learners use. The first one is the reference.

They are written with NumPy in float64: the judge compares what a learner's tensors hold and never loads PyTorch itself.

Shapes:  x float64[..., tokens, width]; positions float64[tokens]; result float64[..., tokens, width]
Units:   angles in radians
Limits:  the width is even; pairs are neighbouring columns
Source:  Su et al. 2021, "RoFormer: enhanced Transformer with rotary position embedding", section 3.2.2
"""

import numpy as np


def by_pairs(x, positions, base=10000.0):
    angles = _angles(x.shape[-1], positions, base)
    even, odd = x[..., 0::2], x[..., 1::2]
    result = np.empty_like(x)
    result[..., 0::2] = even * np.cos(angles) - odd * np.sin(angles)
    result[..., 1::2] = even * np.sin(angles) + odd * np.cos(angles)
    return result


def by_complex_numbers(x, positions, base=10000.0):
    """A pair is a complex number, and turning it is a product."""
    pairs = x[..., 0::2] + 1j * x[..., 1::2]
    turned = pairs * np.exp(1j * _angles(x.shape[-1], positions, base))
    return np.stack([turned.real, turned.imag], axis=-1).reshape(x.shape)


def by_repeated_angles(x, positions, base=10000.0):
    angles = np.repeat(_angles(x.shape[-1], positions, base), 2, axis=-1)
    across = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)
    return x * np.cos(angles) + across * np.sin(angles)


def by_matrices(x, positions, base=10000.0):
    """One matrix for each token, with a rotation of two rows and columns for each pair."""
    result = np.empty_like(x)
    for token, position in enumerate(positions):
        turn = np.zeros((x.shape[-1], x.shape[-1]))
        for pair in range(x.shape[-1] // 2):
            angle = position * base ** (-2 * pair / x.shape[-1])
            place = slice(2 * pair, 2 * pair + 2)
            turn[place, place] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        result[..., token, :] = np.einsum("ij,...j->...i", turn, x[..., token, :])
    return result


def _angles(width, positions, base):
    return positions[:, np.newaxis] * base ** (-np.arange(0, width, 2) / width)


STYLES = {
    "pairs": by_pairs,
    "complex numbers": by_complex_numbers,
    "repeated angles": by_repeated_angles,
    "matrices": by_matrices,
}
