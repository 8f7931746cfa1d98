# outcome: right
# why: each query picks its keys and values by the mask, so nothing hidden is ever computed with
import numpy as np


def masked_attention(Q, K, V, keep):
    keep = np.broadcast_to(keep, Q.shape[:-1] + K.shape[-2:-1])
    out = np.zeros(Q.shape[:-1] + V.shape[-1:])
    for *place, i in np.ndindex(*Q.shape[:-1]):
        place = tuple(place)
        kept = np.flatnonzero(keep[place][i])
        if kept.size:
            s = K[place][kept] @ Q[place][i] / Q.shape[-1] ** 0.5
            w = np.exp(s - s.max())
            out[place][i] = w @ V[place][kept] / w.sum()
    return out
