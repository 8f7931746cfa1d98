# outcome: error
# caught by: values
# misconception: m03-pairs-by-position
# line: 9
import numpy as np


def scores(Q, K):
    return np.array(Q * K).sum(axis=-1) / np.sqrt(Q.shape[-1])
