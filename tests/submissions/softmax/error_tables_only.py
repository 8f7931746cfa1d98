# outcome: error
# why: written for rows of a table, so it stops at an array of another number of axes
import numpy as np


def softmax(x, axis=-1):
    return np.array([np.exp(r - r.max()) / np.exp(r - r.max()).sum() for r in x.tolist()])
