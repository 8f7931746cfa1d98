# outcome: right
# why: everything in five sums over named axes; the maps get axes of heads, the table never does
import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, heads):
    d = x.shape[-1]
    maps = [W.reshape(d, heads, d // heads) for W in (Wq, Wk, Wv)]
    q, k, v = (np.einsum("...td,dhw->...htw", x, W) for W in maps)
    s = np.einsum("...hqw,...hkw->...hqk", q, k) * (d // heads) ** -0.5
    s = s - np.logaddexp.reduce(s, axis=-1, keepdims=True)
    return np.einsum("...hqk,...hkw,hwo->...qo", np.exp(s), v, Wo.reshape(heads, d // heads, d), optimize=True)
