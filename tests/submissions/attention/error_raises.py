# outcome: error
# line: 7
import numpy as np


def attention(Q, K, V):
    return np.dot(Q, V[:, :, :, :])
