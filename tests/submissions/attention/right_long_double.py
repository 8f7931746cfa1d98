# outcome: right
# why: NumPy's widest floats, also in the result; they are rounded to float64 on their way
import numpy as np


def attention(Q, K, V):
    Q, K, V = (each.astype(np.longdouble) for each in (Q, K, V))
    scores = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(np.longdouble(Q.shape[-1]))
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return np.einsum("...qk,...kv->...qv", weights / weights.sum(-1, keepdims=True), V)
