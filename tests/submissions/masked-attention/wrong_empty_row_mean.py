# outcome: wrong
# case: A02
# caught by: empty-rows
# misconception: m07-empty-row
import numpy as np


def masked_attention(Q, K, V, keep):
    scores = np.where(keep, Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1]), -1e9)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ V
