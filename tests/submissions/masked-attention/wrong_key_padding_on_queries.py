# outcome: error
# case: A14
# caught by: values
# misconception: m07-masks-queries
import numpy as np


def masked_attention(Q, K, V, keep):
    hidden = ~keep.swapaxes(-1, -2)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1])
    scores = np.where(hidden, -np.inf, scores)
    top = np.maximum(scores.max(-1, keepdims=True), -1e300)
    weights = np.exp(scores - top)
    return weights / np.maximum(weights.sum(-1, keepdims=True), 1e-300) @ V
