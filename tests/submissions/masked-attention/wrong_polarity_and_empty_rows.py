# outcome: wrong
# case: A05
# caught by: hidden, empty-rows
# misconception: m07-bool-polarity
import numpy as np


def masked_attention(Q, K, V, keep):
    scores = np.where(keep, -np.inf, Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1]))
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ V
