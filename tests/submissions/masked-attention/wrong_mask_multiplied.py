# outcome: wrong
# caught by: hidden, values
# misconception: m07-zero-score
# why: scores times a mask of ones and zeros, so a hidden score is 0 and keeps its share
import numpy as np


def masked_attention(Q, K, V, keep):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1]) * keep
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ V
