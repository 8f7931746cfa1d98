# outcome: wrong
# caught by: values, proportional
# misconception:
# why: it goes one step further than it was asked to
import numpy as np


def scores(Q, K):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
