# outcome: right
# why: a loop over texts, one over heads and one over queries
import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, heads):
    texts = x.reshape(-1, *x.shape[-2:])
    result = np.zeros_like(texts)
    width = x.shape[-1] // heads
    for n, text in enumerate(texts):
        for h in range(heads):
            own = slice(h * width, (h + 1) * width)
            for t, row in enumerate(text):
                s = (text @ Wk[:, own]) @ (row @ Wq[:, own]) / np.sqrt(width)
                w = np.exp(s - s.max())
                result[n, t] += (w / w.sum()) @ (text @ Wv[:, own]) @ Wo[own]
    return result.reshape(x.shape)
