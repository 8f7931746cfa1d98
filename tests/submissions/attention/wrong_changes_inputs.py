# outcome: wrong
# case: A34
# caught by: unchanged
# got: Q changed
import numpy as np


def attention(Q, K, V):
    Q /= np.sqrt(Q.shape[-1])
    scores = Q @ np.swapaxes(K, -1, -2)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ V
