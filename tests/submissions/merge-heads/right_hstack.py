# outcome: right
# why: np.block for tables, and recursion for what stands before them
import numpy as np


def merge_heads(y, *, _axes=3):
    if y.ndim == _axes:
        return np.block([list(y)])
    return np.stack([merge_heads(each) for each in y])
