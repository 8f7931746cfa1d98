# outcome: right
import numpy as np


def merge_heads(y):
    *lead, h, t, d = y.shape
    return np.ascontiguousarray(y.swapaxes(-2, -3)).reshape(*lead, t, h * d)
