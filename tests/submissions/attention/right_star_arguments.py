# outcome: right
# why: takes whatever comes, works in buffers of its own, and returns a transposed view
import numpy as np
from numpy import *


def attention(*args, **kwargs):
    Q, K, V = (array(each, copy=True, order="F") for each in (*args, *kwargs.values()))
    Q *= Q.shape[-1] ** -0.5
    s = swapaxes(K @ swapaxes(Q, -1, -2), -1, -2)
    s -= s.max(axis=-1, keepdims=True)
    np.exp(s, out=s)
    np.divide(s, add.reduce(s, axis=-1, keepdims=True), out=s)
    return np.swapaxes(np.swapaxes(V, -1, -2) @ np.swapaxes(s, -1, -2), -1, -2)
