# outcome: wrong
# caught by: sums, values
# misconception: m03-softmax-columns
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)
