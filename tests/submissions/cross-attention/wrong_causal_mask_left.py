# outcome: wrong
# caught by: values, keys-reordered
# misconception: m08-masked-source
import numpy as np


def cross_attention(x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep=None):
    def split(y):
        *lead, T, D = y.shape
        return y.reshape(*lead, T, heads, D // heads).swapaxes(-2, -3)

    q, k, v = split(x_q @ Wq), split(x_kv @ Wk), split(x_kv @ Wv)
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    s = np.where(np.triu(np.ones(s.shape[-2:]), 1) == 1, -np.inf, s)
    if kv_keep is not None:
        s = np.where(kv_keep[..., None, None, :], s, -np.inf)
    a = np.exp(s - s.max(-1, keepdims=True))
    a /= a.sum(-1, keepdims=True)
    return (a @ v).swapaxes(-2, -3).reshape(x_q.shape) @ Wo
