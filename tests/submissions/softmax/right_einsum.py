# outcome: right
import numpy as np


def softmax(x, axis=-1):
    x = np.moveaxis(x, axis, -1)
    e = np.exp(x - x.max(-1)[..., None])
    return np.moveaxis(np.einsum("...k,...->...k", e, 1 / e.sum(-1)), -1, axis)
