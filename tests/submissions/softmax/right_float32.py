# outcome: right
# remark: float32
import numpy as np


def softmax(x, axis=-1):
    x = x.astype(np.float32)
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
