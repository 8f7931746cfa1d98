# outcome: right
# why: never subtracts a maximum; every share is 1 over a sum of ratios, and an infinite sum gives 0
# prints: overflow
import numpy as np


def softmax(x, axis=-1):
    x = np.moveaxis(x, axis, -1)
    hidden = np.isneginf(x)
    seen = np.where(hidden, 0.0, x)
    ratios = np.where(hidden[..., None, :], 0.0, np.exp(seen[..., None, :] - seen[..., :, None]))
    return np.moveaxis(np.where(hidden, 0.0, 1 / ratios.sum(-1)), -1, axis)
