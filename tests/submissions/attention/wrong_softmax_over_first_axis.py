# outcome: wrong
# case: A20
# caught by: sums
# misconception:
# why: axis 0 is the queries only where there are no leading axes, so no known rule fits all inputs
import numpy as np


def attention(Q, K, V):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    weights = np.exp(scores - scores.max(axis=0, keepdims=True))
    weights = weights / weights.sum(axis=0, keepdims=True)
    return weights @ V
