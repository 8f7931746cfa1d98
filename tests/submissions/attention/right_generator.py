# outcome: right
# why: the rows come from a generator, one at a time, and a comprehension keeps the running denominator
import math

import numpy as np


def rows(Q, K, V):
    for q in Q:
        s = [math.fsum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in K]
        top = max(s)
        powers = [math.exp(x - top) for x in s]
        total = math.fsum(powers)
        yield sum((p / total) * v for p, v in zip(powers, V))


def attention(Q, K, V):
    if Q.ndim > 2:
        return np.array([attention(*each) for each in zip(Q, K, V)])
    return np.array(list(rows(Q, K, V)))
