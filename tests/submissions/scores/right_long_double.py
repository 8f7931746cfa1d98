# outcome: right
# why: computes in NumPy's widest floats and returns them in float64
import numpy as np


def scores(Q, K):
    wide = np.einsum("...qd,...kd->...qk", Q.astype(np.longdouble), K.astype(np.longdouble))
    return (wide / np.sqrt(np.longdouble(Q.shape[-1]))).astype(np.float64)
