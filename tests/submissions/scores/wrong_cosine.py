# outcome: wrong
# caught by: proportional
# misconception: m03-cosine
import numpy as np


def scores(Q, K):
    Q = Q / np.sqrt((Q**2).sum(axis=-1, keepdims=True))
    K = K / np.sqrt((K**2).sum(axis=-1, keepdims=True))
    return Q @ K.swapaxes(-1, -2)
