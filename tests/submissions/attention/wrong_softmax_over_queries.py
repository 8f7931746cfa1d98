# outcome: wrong
# case: A20
# caught by: sums, single-key
# misconception: m03-softmax-columns
import numpy as np


def attention(Q, K, V):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-2, keepdims=True))
    weights = weights / weights.sum(axis=-2, keepdims=True)
    return weights @ V
