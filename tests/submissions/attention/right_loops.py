# outcome: right
import math

import numpy as np


def one(Q, K, V):
    rows = []
    for q in Q.tolist():
        scores = [sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in K.tolist()]
        top = max(scores)
        weights = [math.exp(s - top) for s in scores]
        total = sum(weights)
        rows.append([sum(w * v for w, v in zip(weights, column)) / total for column in V.T.tolist()])
    return np.array(rows)


def attention(Q, K, V):
    if Q.ndim == 2:
        return one(Q, K, V)
    return np.stack([attention(q, k, v) for q, k, v in zip(Q, K, V)])
