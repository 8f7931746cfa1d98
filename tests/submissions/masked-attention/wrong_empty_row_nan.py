# outcome: wrong
# case: A01
# caught by: empty-rows
# misconception: m07-empty-row
import numpy as np


def masked_attention(Q, K, V, keep):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
    scores[~np.broadcast_to(keep, scores.shape)] = -np.inf
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ V
