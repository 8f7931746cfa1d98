# outcome: fragile
# case: A11
# caught by: large
# misconception: m07-renormalise-later
# why: the mask comes after the softmax, and what is left is divided by its sum
import numpy as np


def masked_attention(Q, K, V, keep):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights = weights / weights.sum(-1, keepdims=True) * keep
    left = weights.sum(-1, keepdims=True)
    return np.where(keep.any(-1, keepdims=True), weights / np.where(left == 0, np.nan, left), 0.0) @ V
