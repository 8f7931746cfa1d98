# outcome: right
# remark: float32
import numpy as np


def sinusoidal_positions(T, d, base=10000):
    w = np.float32(base) ** (-np.arange(0, d, 2, dtype=np.float32) / np.float32(d))
    a = np.outer(np.arange(T, dtype=np.float32), w)
    return np.dstack([np.sin(a), np.cos(a)]).reshape(T, d)
