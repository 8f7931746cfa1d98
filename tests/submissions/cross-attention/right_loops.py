# outcome: right
# why: plain loops over texts, heads and queries, with the kept rows in a list
import math

import numpy as np


def one_text(x_q, x_kv, Wq, Wk, Wv, heads, kept):
    width = x_q.shape[1] // heads
    rows = [x_kv[j] for j in kept]
    result = []
    for row in x_q:
        parts = []
        for h in range(heads):
            own = slice(h * width, h * width + width)
            q = row @ Wq[:, own]
            s = [float(q @ (other @ Wk[:, own])) / math.sqrt(width) for other in rows]
            w = [math.exp(each - max(s)) for each in s]
            parts.append(sum(a * (other @ Wv[:, own]) for a, other in zip(w, rows)) / sum(w))
        result.append(np.concatenate(parts))
    return np.array(result)


def cross_attention(x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep=None):
    if x_q.ndim > 2:
        masks = kv_keep if kv_keep is not None else [None] * len(x_q)
        return np.array([cross_attention(a, b, Wq, Wk, Wv, Wo, heads, m) for a, b, m in zip(x_q, x_kv, masks)])
    kept = range(len(x_kv)) if kv_keep is None else np.nonzero(kv_keep)[0]
    return one_text(x_q, x_kv, Wq, Wk, Wv, heads, kept) @ Wo
