# outcome: right
# why: einsum only changes the order of the axes, and a copy flattens the last two
import numpy as np


def merge_heads(y):
    moved = np.einsum("...htc->...thc", y)
    return np.ascontiguousarray(moved).reshape(moved.shape[:-2] + (-1,))
