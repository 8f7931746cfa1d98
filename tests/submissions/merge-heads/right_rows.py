# outcome: right
import numpy as np


def merge_heads(y):
    if y.ndim > 3:
        return np.array([merge_heads(each) for each in y])
    return np.array([[number for head in y for number in head[token]] for token in range(y.shape[1])])
