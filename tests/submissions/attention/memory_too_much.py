# outcome: memory
import numpy as np


def attention(Q, K, V):
    return np.ones(2**33)[: Q.shape[0]] * V
