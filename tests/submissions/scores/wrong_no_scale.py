# outcome: wrong
# caught by: values, spread
# misconception: m03-no-scale
import numpy as np


def scores(Q, K):
    return np.einsum("...id,...jd->...ij", Q, K)
