# outcome: error
# caught by: values
# misconception: slip-drops-axis
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis))
    return e / e.sum(axis)
