# outcome: right
# why: NumPy's masked arrays inside, with nothing masked; the result is an ordinary array
import numpy as np
import numpy.ma as ma

CACHE = {}


def attention(Q, K, V):
    CACHE["width"] = Q.shape[-1]
    s = ma.array(np.einsum("...qd,...kd->...qk", Q, K, optimize=True)) / CACHE["width"] ** 0.5
    e = ma.exp(s - ma.max(s, axis=-1, keepdims=True))
    return np.einsum("...qk,...kv->...qv", (e / e.sum(axis=-1, keepdims=True)).filled(0.0), V)
