# outcome: right
# why: swaps the axis to the front and back, and calls itself with other arguments
import numpy as np


def softmax(x, axis=-1, *, _is_in_front=False):
    if not _is_in_front:
        return np.swapaxes(softmax(np.swapaxes(x, axis, 0), 0, _is_in_front=True), axis, 0)
    largest = np.nanmax(x, 0, keepdims=True, initial=-np.inf)
    total = np.sum(powers := np.exp(np.subtract(x, largest)), 0, keepdims=True)
    return np.true_divide(powers, total)
