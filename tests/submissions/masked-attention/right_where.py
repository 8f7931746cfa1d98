# outcome: right
# why: minus infinity by np.where, and rows without a key get a largest score of 0 and a sum of 1
import numpy as np


def masked_attention(Q, K, V, keep):
    s = np.where(keep, Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), -np.inf)
    top = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(top), top, 0.0))
    total = e.sum(-1, keepdims=True)
    return e @ V / np.where(total == 0, 1.0, total)
