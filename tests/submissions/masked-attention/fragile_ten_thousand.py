# outcome: fragile
# caught by: large
# misconception: m07-any-negative-will-do
import numpy as np


def masked_attention(Q, K, V, keep):
    scores = np.where(keep, Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1]), -1e4)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    result = weights / weights.sum(-1, keepdims=True) @ V
    return result * keep.any(-1, keepdims=True)
