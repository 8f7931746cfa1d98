# outcome: wrong
# case: A45
# caught by: shape
# misconception:
# why: compared by broadcasting, every number would be right
import numpy as np


def attention(Q, K, V):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True) @ V)[np.newaxis]
