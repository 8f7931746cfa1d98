# outcome: fragile
# case: A21
# caught by: large
# misconception: m03-no-shift-needed
import numpy as np


def attention(Q, K, V):
    weights = np.exp(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]))
    return weights / weights.sum(axis=-1, keepdims=True) @ V
