# outcome: right
# remark: float32
import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, heads):
    x, Wq, Wk, Wv, Wo = (a.astype(np.float32) for a in (x, Wq, Wk, Wv, Wo))
    d = x.shape[-1] // heads
    out = 0
    for h in range(heads):
        c = slice(h * d, h * d + d)
        s = np.einsum("...td,...sd->...ts", x @ Wq[:, c], x @ Wk[:, c]) / np.float32(d**0.5)
        e = np.exp(s - s.max(-1, keepdims=True))
        out = out + (e / e.sum(-1, keepdims=True)) @ (x @ Wv[:, c]) @ Wo[c]
    return out
