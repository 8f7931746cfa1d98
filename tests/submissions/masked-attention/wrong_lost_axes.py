# outcome: error
# case: A15
# caught by: values
# misconception: slip-transpose
# why: a mask of shape (batch, keys) is laid against (batch, queries, keys)
import numpy as np


def masked_attention(Q, K, V, keep):
    mask = keep.reshape([n for n in keep.shape if n > 1])
    scores = np.where(mask, Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-1]), -np.inf)
    top = np.maximum(scores.max(-1, keepdims=True), -1e300)
    weights = np.exp(scores - top)
    return weights / np.maximum(weights.sum(-1, keepdims=True), 1e-300) @ V
