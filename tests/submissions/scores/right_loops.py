# outcome: right
# why: four nested loops over an index of the leading axes
import numpy as np


def scores(Q, K):
    result = np.zeros(Q.shape[:-1] + K.shape[-2:-1])
    for place in np.ndindex(*Q.shape[:-2]):
        for i in range(Q.shape[-2]):
            for j in range(K.shape[-2]):
                for c in range(Q.shape[-1]):
                    result[place][i, j] += Q[place][i, c] * K[place][j, c]
    return result / np.sqrt(Q.shape[-1])
