# outcome: wrong
# case: A41
# caught by: values
# misconception:
# why: float32 passes with a remark, half of it is too little to tell a right program from a wrong one
import numpy as np


def attention(Q, K, V):
    Q, K, V = (each.astype(np.float16) for each in (Q, K, V))
    s = Q @ K.swapaxes(-1, -2) / np.float16(Q.shape[-1]) ** np.float16(0.5)
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True) @ V).astype(np.float64)
