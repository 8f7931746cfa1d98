# outcome: right
# remark: float32
# why: maps in float64, and the softmax in float32 as low precision libraries do
import numpy as np


def softmax32(x):
    x = (x - x.max(-1, keepdims=True)).astype(np.float32)
    e = np.exp(x)
    return e / e.sum(-1, keepdims=True)


def cross_attention(x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep=None):
    def split(x):
        return x.reshape(x.shape[:-1] + (heads, x.shape[-1] // heads)).swapaxes(-3, -2)

    scores = split(x_q @ Wq) @ split(x_kv @ Wk).swapaxes(-1, -2) / np.sqrt(x_q.shape[-1] // heads)
    if kv_keep is not None:
        scores = np.ma.masked_array(scores, np.broadcast_to(~kv_keep[..., None, None, :], scores.shape)).filled(-np.inf)
    return (softmax32(scores) @ split(x_kv @ Wv)).swapaxes(-3, -2).reshape(x_q.shape) @ Wo
