# outcome: right
# why: one key more, of weight 0 but where there is no other, with a value of 0
import numpy as np


def masked_attention(Q, K, V, keep):
    s = Q @ np.swapaxes(K, -1, -2) / Q.shape[-1] ** 0.5
    keep = np.broadcast_to(keep, s.shape)
    alone = ~keep.any(axis=-1, keepdims=True)
    s = np.concatenate([s, np.zeros_like(s[..., :1])], axis=-1)
    s = np.where(np.concatenate([keep, alone], axis=-1), s, -np.inf)
    V = np.concatenate([V, np.zeros_like(V[..., :1, :])], axis=-2)
    w = np.exp(s - s.max(axis=-1, keepdims=True))
    return (w / w.sum(axis=-1, keepdims=True)) @ V
