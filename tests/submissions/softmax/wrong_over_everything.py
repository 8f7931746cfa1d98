# outcome: wrong
# caught by: sums
# misconception: m03-softmax-everything
import numpy as np


def softmax(x, axis=-1):
    exponentials = np.exp(x - np.max(x))
    return exponentials / np.sum(exponentials)
