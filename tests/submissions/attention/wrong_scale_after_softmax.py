# outcome: wrong
# caught by: sums
# misconception: m03-scale-after
import numpy as np


def attention(Q, K, V):
    scores = Q @ np.swapaxes(K, -1, -2) / 1.0
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True) / np.sqrt(Q.shape[-1])
    return weights @ V
