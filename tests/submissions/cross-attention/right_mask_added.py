# outcome: right
import numpy as np


def attend(q, k, v, bias):
    s = np.einsum("...qd,...kd->...qk", q, k) / len(k[0, 0] if k.ndim > 2 else k[0]) ** 0.5
    s = s - s.max(-1, keepdims=True) + bias
    s = s - s.max(-1, keepdims=True)
    e = np.exp(s)
    return np.einsum("...qk,...kd->...qd", e / e.sum(-1)[..., None], v)


def cross_attention(x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep=None):
    flat_q, flat_kv = x_q.reshape(-1, *x_q.shape[-2:]), x_kv.reshape(-1, *x_kv.shape[-2:])
    bias = 0.0 if kv_keep is None else np.log(kv_keep.astype(float).reshape(-1, 1, x_kv.shape[-2]))
    parts = [np.split(W, heads, axis=-1) for W in (Wq, Wk, Wv)]
    heads_out = [attend(flat_q @ a, flat_kv @ b, flat_kv @ c, bias) for a, b, c in zip(*parts)]
    return (np.concatenate(heads_out, -1) @ Wo).reshape(x_q.shape)
