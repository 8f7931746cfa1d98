# outcome: right
# why: NumPy's masked arrays; a row of which all is masked has no sum, and is filled with 0
import numpy as np


def masked_attention(Q, K, V, keep):
    raw = np.matmul(Q, np.swapaxes(K, -1, -2)) / Q.shape[-1] ** 0.5
    s = np.ma.masked_where(~np.broadcast_to(keep, raw.shape), raw)
    e = np.ma.exp(s - s.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)).filled(0.0) @ V
