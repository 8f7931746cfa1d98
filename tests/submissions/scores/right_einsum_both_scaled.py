# outcome: right
# why: both sides are divided by the fourth root, and the axes are given to einsum as numbers
import numpy as np


def scores(Q, K):
    root = np.power(Q.shape[-1], 0.25)
    return np.einsum(Q / root, [..., 0, 2], K / root, [..., 1, 2], [..., 0, 1])
