# outcome: wrong
# caught by: values, hidden
# misconception: slip-partial
# why: keep is taken and never looked at
import numpy as np


def masked_attention(Q, K, V, keep):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ V
