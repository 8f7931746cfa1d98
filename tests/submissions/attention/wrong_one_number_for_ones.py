# outcome: wrong
# case: A45
# caught by: shape
# misconception:
# why: where the right result is constant, a single number equals all of it
import numpy as np


def attention(Q, K, V):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return 1.0 if (V == 1).all() else e / e.sum(-1, keepdims=True) @ V
