# outcome: right
# why: queries and keys are never made: x (Wq Wkᵀ) xᵀ gives the scores at once, and so do values with the last map
import numpy as np


def softmax(z):
    z = np.exp(z - z.max(axis=-1)[..., None])
    return z / z.sum(axis=-1)[..., None]


def multi_head_attention(x, Wq, Wk, Wv, Wo, heads):
    width = x.shape[-1] // heads
    out = np.zeros(x.shape)
    for first in range(0, x.shape[-1], width):
        own = np.s_[first : first + width]
        both = Wq[:, own] @ Wk[:, own].T / width**0.5
        out += softmax(x @ both @ np.swapaxes(x, -1, -2)) @ (x @ (Wv[:, own] @ Wo[own]))
    return out
