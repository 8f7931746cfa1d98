# outcome: right
# remark: float32
import numpy as np


def scores(Q, K):
    Q, K = np.float32(Q), np.float32(K)
    return np.matmul(Q, np.swapaxes(K, -2, -1)) / np.float32(Q.shape[-1]) ** 0.5
