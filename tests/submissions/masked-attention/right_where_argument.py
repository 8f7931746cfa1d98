# outcome: right
# why: NumPy's own where= and initial= leave hidden scores out; np.divide writes only where there is a sum
import numpy as np


def masked_attention(Q, K, V, keep):
    s = np.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -0.5
    keep = np.broadcast_to(keep, s.shape)
    top = np.max(s, axis=-1, keepdims=True, where=keep, initial=-1e300)
    e = np.exp(s - top, where=keep, out=np.zeros_like(s))
    total = np.sum(e, axis=-1, keepdims=True, where=keep)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0) @ V
