# outcome: wrong
# caught by: sums
# misconception: slip-partial
import numpy as np


def softmax(x, axis=-1):
    return np.exp(x - x.max(axis=axis, keepdims=True))
