# outcome: right
# why: the results of the heads are never put side by side but added up behind the last map
import numpy as np


def cross_attention(x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep=None):
    keep = np.ones(x_kv.shape[:-1], bool) if kv_keep is None else kv_keep
    total = 0
    for q, k, v, o in zip(*(np.hsplit(W, heads) for W in (Wq, Wk, Wv)), np.vsplit(Wo, heads), strict=True):
        s = (x_q @ q) @ (x_kv @ k).swapaxes(-1, -2) / np.sqrt(q.shape[1])
        s = np.where(keep[..., None, :], s, -np.inf)
        e = np.exp(s - s.max(-1, keepdims=True))
        total = total + e @ (x_kv @ v @ o) / e.sum(-1, keepdims=True)
    return total
