# outcome: right
# why: adds a mask that hides nothing
import numpy as np


def attention(Q, K, V, mask=None):
    scores = np.matmul(Q, np.swapaxes(K, -1, -2)) / np.sqrt(Q.shape[-1])
    hidden = np.zeros(scores.shape, dtype=bool) if mask is None else mask
    scores = scores + np.where(hidden, -1e9, 0.0)
    scores = scores - np.max(scores, axis=-1, keepdims=True)
    weights = np.exp(scores)
    return (weights / np.sum(weights, axis=-1, keepdims=True)) @ V
