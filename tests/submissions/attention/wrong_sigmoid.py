# outcome: wrong
# caught by: sums
# misconception: m03-any-normaliser
import numpy as np


def attention(Q, K, V):
    return 1 / (1 + np.exp(-Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]))) @ V
