# outcome: right
# why: one product for all three maps, split afterwards, with the heads in front
import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, heads):
    *leading, tokens, width = x.shape
    stacked = (x @ np.concatenate([Wq, Wk, Wv], axis=1)).reshape(*leading, tokens, 3, heads, -1)
    q, k, v = np.moveaxis(stacked, (-3, -2), (0, 1))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores -= scores.max(-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(-1, keepdims=True)
    return np.moveaxis(scores @ v, 0, -2).reshape(x.shape) @ Wo
