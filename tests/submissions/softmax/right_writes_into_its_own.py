# outcome: right
# why: operators that write in place are fine on an array of one's own
import numpy as np


def softmax(x, axis=-1):
    result = x - x.max(axis=axis, keepdims=True)
    np.exp(result, out=result)
    result /= result.sum(axis=axis, keepdims=True)
    return result
