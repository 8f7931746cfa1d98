# outcome: right
# why: sums over named axes, a mask by where, and a default that is not None
import numpy as np


def cross_attention(x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep=True):
    d = x_q.shape[-1]
    q, k, v = (
        np.einsum("...td,dhw->...htw", x, W.reshape(d, heads, -1)) for x, W in ((x_q, Wq), (x_kv, Wk), (x_kv, Wv))
    )
    s = np.einsum("...qw,...kw->...qk", q, k) / (d / heads) ** 0.5
    if kv_keep is not True and kv_keep is not None:
        s = np.where(np.asarray(kv_keep)[..., None, None, :], s, -np.inf)
    w = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("...hqk,...hkw,hwo->...qo", w / w.sum(-1, keepdims=True), v, Wo.reshape(heads, -1, d))
