# outcome: right
# case: A40
# remark: float32
import numpy as np


def attention(Q, K, V):
    Q, K, V = (x.astype(np.float32) for x in (Q, K, V))
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(np.float32(Q.shape[-1]))
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ V
