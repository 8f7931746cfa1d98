# outcome: wrong
# caught by: values, sums
# misconception:
# why: a constant against a division by 0, which never happens, moves every share by a ten-thousandth of it
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / (e.sum(axis=axis, keepdims=True) + 1e-4)
