"""The matrices that the questions about positional encodings ask for, and those that their wrong answers are."""

import numpy as np


def _turn(angle):
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def matrix_of_a_shift(w, k):
    pairs = np.array([[np.sin(w * p), np.cos(w * p)] for p in range(6)])
    further = np.array([[np.sin(w * (p + k)), np.cos(w * (p + k))] for p in range(6)])
    shift = _turn(w * k)
    assert np.allclose(pairs @ shift.T, further)  # at every position
    return shift, {
        "slip-transpose": shift.T,
        "slip-partial": _turn(k),
        "m04-high-dims-fast": _turn(k / w),
        "slip-swap": shift[:, ::-1],
    }


def _encodings(positions, frequencies):
    angles = np.outer(positions, frequencies)
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(positions), -1)


def rows_of_two_positions(a, b):
    positions, frequencies = np.array([a, b]), 10000.0 ** (-2 * np.arange(2) / 4)
    key = _encodings(positions, frequencies)
    return key, {
        "m04-layout": key[:, [0, 2, 1, 3]],
        "slip-swap": key[:, [1, 0, 3, 2]],
        "m04-exponent": _encodings(positions, 10000.0 ** (-np.arange(2) / 4)),
        "m04-high-dims-fast": _encodings(positions, 1 / frequencies),
        "slip-off-by-one": _encodings(positions - 1, frequencies),
    }


DEFINED = {
    "positional-encoding/matrix-of-a-shift": matrix_of_a_shift,
    "positional-encoding/rows-of-two-positions": rows_of_two_positions,
}
