# outcome: wrong
# caught by: sums
# misconception: m03-softmax-everything
import numpy as np


def attention(Q, K, V):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = np.exp(scores - scores.max(axis=(-2, -1), keepdims=True))
    weights = weights / weights.sum(axis=(-2, -1), keepdims=True)
    return weights @ V
