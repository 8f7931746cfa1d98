# outcome: right
# why: loops over everything, and a running maximum
import math

import numpy as np


def masked_attention(Q, K, V, keep):
    shape = Q.shape[:-1]
    keep = np.broadcast_to(keep, shape + (K.shape[-2],))
    out = np.zeros(shape + (V.shape[-1],))
    for place in np.ndindex(*shape):
        best, total, mixed = -math.inf, 0.0, 0.0
        for key, value, allowed in zip(K[place[:-1]], V[place[:-1]], keep[place]):
            if allowed:
                score = float(Q[place] @ key) / math.sqrt(len(key))
                top = max(best, score)
                old, new = math.exp(best - top), math.exp(score - top)
                total, mixed, best = total * old + new, mixed * old + new * value, top
        if total:
            out[place] = mixed / total
    return out
