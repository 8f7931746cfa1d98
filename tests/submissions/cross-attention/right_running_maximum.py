# outcome: right
# why: one row of the other text after the other, with a running maximum; hidden rows are passed over by where
import numpy as np


def cross_attention(x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep=None):
    *leading, queries, width = x_q.shape
    deal = lambda x, W: (x @ W).reshape(*x.shape[:-1], heads, width // heads)  # noqa: E731
    q, k, v = deal(x_q, Wq), deal(x_kv, Wk), deal(x_kv, Wv)
    top = np.full((*leading, queries, heads), -np.inf)
    total, mean = np.zeros(top.shape), np.zeros(q.shape)
    for j in range(x_kv.shape[-2]):
        s = (q * k[..., j, None, :, :]).sum(-1) / np.sqrt(width // heads)
        if kv_keep is not None:
            s = np.where(kv_keep[..., j, None, None], s, -np.inf)
        new = np.maximum(top, s)
        with np.errstate(invalid="ignore"):
            old, fresh = (np.nan_to_num(np.exp(each - new)) for each in (top, s))
        total = old * total + fresh
        mean = old[..., None] * mean + fresh[..., None] * v[..., j, None, :, :]
        top = new
    return (mean / total[..., None]).reshape(x_q.shape) @ Wo
