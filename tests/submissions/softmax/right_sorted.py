# outcome: right
# why: sorts each line, normalises from the largest down with a cumulative logarithm, and puts everything back
import numpy as np


def softmax(x, axis=None):
    axis = -1 if axis is None else axis
    order = np.argsort(x, axis=axis)
    rising = np.take_along_axis(x, order, axis=axis)
    with np.errstate(invalid="ignore"):
        total = np.take(np.logaddexp.accumulate(rising, axis=axis), [-1], axis=axis)
    result = np.empty(x.shape)
    np.put_along_axis(result, order, np.exp(rising - total), axis=axis)
    return result
