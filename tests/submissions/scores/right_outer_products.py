# outcome: right
# why: adds up one outer product for each column, in a buffer of its own
import functools

import numpy as np


def scores(Q, K, *, scale=None):
    outer = (Q[..., :, None, c] * K[..., None, :, c] for c in range(Q.shape[-1]))
    return functools.reduce(np.add, outer) * (scale or Q.shape[-1] ** -0.5)
