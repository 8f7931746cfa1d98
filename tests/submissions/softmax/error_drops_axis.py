# outcome: error
# caught by: values
# misconception: slip-drops-axis
# line: 9
import numpy as np


def softmax(x, axis=-1):
    return np.exp(x - x.max()) / np.exp(x - x.max()).sum(axis=axis)
