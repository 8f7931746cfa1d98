# outcome: wrong
# caught by: values
# misconception:
# why: the size it divides by is the width only where there is no leading axis
import numpy as np


def scores(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[1])
