"""The matrix that the question about smoothed targets asks for, and those that its wrong answers are."""

import numpy as np


def smoothed_rows(e, k):
    hard = np.eye(4)[[0 if k else 2, 1]]
    smoothed = np.where(hard == 1, 1 - e + e / 4, e / 4)
    return smoothed, {
        "slip-partial": np.where(hard == 1, 1 - e, e / 3),
        "slip-arith": np.where(hard == 1, 1 + e / 4, e / 4),
        "slip-scope": hard,
    }


DEFINED = {"training-the-transformer/smoothed-rows": smoothed_rows}
