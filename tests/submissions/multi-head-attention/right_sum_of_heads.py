# outcome: right
# why: no head is ever put beside another; each goes through its rows of the last map, and they add up
from functools import partial

import numpy as np


def head(x, Wq, Wk, Wv, Wo, own):
    q, k, v = x @ Wq[:, own], x @ Wk[:, own], x @ Wv[:, own]
    raw = np.matmul(q, np.swapaxes(k, -2, -1)) / q.shape[-1] ** 0.5
    e = np.exp(raw - np.amax(raw, axis=-1, keepdims=True))
    return (e / np.sum(e, axis=-1, keepdims=True)) @ v @ Wo[own]


def multi_head_attention(x, *maps_and_heads):
    *maps, heads = maps_and_heads
    one = partial(head, x, *maps)
    return sum(map(one, np.split(np.arange(x.shape[-1]), heads)))
