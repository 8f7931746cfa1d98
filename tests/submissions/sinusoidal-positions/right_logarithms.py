# outcome: right
# why: frequencies through logarithms, columns filled by slices of a buffer in Fortran's order
from math import log

import numpy as np


def sinusoidal_positions(T, d, base=1e4):
    table = np.empty((T, d), order="F")
    angles = np.arange(T).reshape(-1, 1) * np.exp(np.arange(0, d, 2) * (-log(base) / d))
    np.sin(angles, out=table[:, ::2])
    np.cos(angles, out=table[:, 1::2])
    return table
