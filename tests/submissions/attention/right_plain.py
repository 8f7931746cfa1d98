# outcome: right
import numpy as np


def attention(Q, K, V):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
    scores -= scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ V
