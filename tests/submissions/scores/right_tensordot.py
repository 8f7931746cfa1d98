# outcome: right
import numpy as np


def scores(Q, K):
    if Q.ndim == 2:
        return np.tensordot(Q, K, axes=([1], [1])) / np.sqrt(Q.shape[1])
    return np.stack([scores(one, other) for one, other in zip(Q, K)])
