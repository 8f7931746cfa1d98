# outcome: right
# why: a decorator adds the leading axes, arguments are passed on by keyword, and the mask is a product that is normed
from functools import wraps

import numpy as np


def for_each_text(function):
    @wraps(function)
    def over_all(x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep=None):
        leading = x_q.shape[:-2]
        keep = np.full(x_kv.shape[:-1], True) if kv_keep is None else kv_keep
        texts = [
            function(x_q[n], x_kv[n], maps=(Wq, Wk, Wv, Wo), heads=heads, keep=keep[n]) for n in np.ndindex(leading)
        ]
        return np.array(texts).reshape(x_q.shape)

    return over_all


@for_each_text
def cross_attention(asks, answers, *, maps, heads, keep):
    q, k, v = (x @ W for x, W in zip((asks, answers[keep], answers[keep]), maps))
    q, k, v = (np.stack(np.array_split(each, heads, axis=1)) for each in (q, k, v))
    s = np.einsum("hqw,hkw->hqk", q, k) / q.shape[-1] ** 0.5
    powers = np.exp(s - s.max(2)[:, :, None])
    return np.hstack(list(np.einsum("hqk,hkw->hqw", powers / powers.sum(2)[:, :, None], v))) @ maps[-1]
