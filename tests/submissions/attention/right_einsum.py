# outcome: right
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(-1)[..., None])
    return np.einsum("...k,...->...k", e, 1 / e.sum(-1))


def attention(Q, K, V):
    return np.einsum("...qk,...kv->...qv", softmax(np.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -0.5), V)
