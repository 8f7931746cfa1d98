# outcome: fragile
# caught by: minus-infinity
# why: clipped at -50, minus infinity keeps a share
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(np.clip(x - x.max(axis=axis, keepdims=True), -50, 0))
    return e / e.sum(axis=axis, keepdims=True)
