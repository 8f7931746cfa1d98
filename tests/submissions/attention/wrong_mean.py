# outcome: wrong
# caught by: values
# misconception: m03-ignores-scores
import numpy as np


def attention(Q, K, V):
    return np.repeat(V.mean(axis=-2, keepdims=True), Q.shape[-2], axis=-2)
