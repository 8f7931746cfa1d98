# outcome: right
# why: subtracts the logarithm of the sum instead of dividing by the sum
import numpy as np


def softmax(x, axis=-1):
    top = x.max(axis, keepdims=True)
    return np.exp(x - top - np.log(np.exp(x - top).sum(axis, keepdims=True)))
