# outcome: fragile
# caught by: large
# misconception: m03-no-shift-needed
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / e.sum(axis=axis, keepdims=True)
