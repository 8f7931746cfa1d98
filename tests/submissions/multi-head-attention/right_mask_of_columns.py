# outcome: right
# why: heads of full width, in which the columns of the others are set to 0
import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, heads=1):
    d = x.shape[-1]
    member = (np.arange(d) // (d // heads) == np.arange(heads)[:, None]).astype(float)[:, None, :]
    q = np.expand_dims(x @ Wq, -3) * member
    k, v = np.expand_dims(x @ Wk, -3), np.expand_dims(x @ Wv, -3) * member
    s = np.einsum("...qd,...kd->...qk", q, k) / np.sqrt(d / heads)
    w = np.exp(s - s.max(-1, keepdims=True))
    return (w @ v / w.sum(-1, keepdims=True)).sum(-3) @ Wo
