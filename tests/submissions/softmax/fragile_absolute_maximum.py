# outcome: fragile
# caught by: large, minus-infinity
# misconception: m03-no-shift-needed
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.abs(x).max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
