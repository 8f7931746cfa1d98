# outcome: wrong
# caught by: sums
# misconception: m03-any-normaliser
import numpy as np


def softmax(x, axis=-1):
    return 1 / (1 + np.exp(-x))
