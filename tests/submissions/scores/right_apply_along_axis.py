# outcome: right
# why: one row of scores for each query, by apply_along_axis and recursion over the leading axes
import numpy as np


def scores(Q, K):
    if Q.ndim == 2:
        return np.apply_along_axis(lambda q: K.dot(q) / len(q) ** 0.5, 1, Q)
    return np.stack([scores(q, k) for q, k in zip(Q, K, strict=True)])
