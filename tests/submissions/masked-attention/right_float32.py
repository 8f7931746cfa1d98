# outcome: right
# remark: float32
# why: everything in float32, with that format's least number as the fill and a product with the mask at the end
import numpy as np


def masked_attention(Q, K, V, keep):
    Q, K, V = (each.astype(np.float32) for each in (Q, K, V))
    s = np.where(keep, Q @ K.swapaxes(-1, -2) / np.float32(Q.shape[-1] ** 0.5), np.finfo(np.float32).min)
    w = np.exp(s - s.max(-1, keepdims=True)) * keep
    return w @ V / np.maximum(w.sum(-1, keepdims=True), np.finfo(np.float32).tiny)
