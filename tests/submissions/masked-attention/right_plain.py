# outcome: right
import numpy as np


def masked_attention(Q, K, V, keep):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
    scores = np.where(keep, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    top[top == -np.inf] = 0
    weights = np.exp(scores - top)
    total = weights.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    return weights / total @ V
