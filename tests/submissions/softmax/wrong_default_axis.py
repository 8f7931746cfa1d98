# outcome: wrong
# caught by: sums
# misconception: m03-softmax-columns
import numpy as np


def softmax(x, axis=0):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
