# outcome: right
# why: hidden rows are dropped before anything is computed
import numpy as np


def one(x_q, x_kv, maps, Wo, heads):
    q, k, v = x_q @ maps[0], x_kv @ maps[1], x_kv @ maps[2]
    d = q.shape[1] // heads
    out = np.empty_like(q)
    for i in range(0, q.shape[1], d):
        for t in range(len(q)):
            top = (k[:, i : i + d] @ q[t, i : i + d] / d**0.5).max()
            w = np.exp(k[:, i : i + d] @ q[t, i : i + d] / d**0.5 - top)
            out[t, i : i + d] = w / w.sum() @ v[:, i : i + d]
    return out @ Wo


def cross_attention(x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep=None):
    if x_q.ndim > 2:
        rest = [None] * len(x_q) if kv_keep is None else kv_keep
        return np.stack([cross_attention(a, b, Wq, Wk, Wv, Wo, heads, c) for a, b, c in zip(x_q, x_kv, rest)])
    return one(x_q, x_kv if kv_keep is None else x_kv[kv_keep], (Wq, Wk, Wv), Wo, heads)
