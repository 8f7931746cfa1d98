# outcome: wrong
# caught by: values
# misconception: slip-integer-division
import numpy as np


def sinusoidal_positions(T, d, base=10000):
    pe = np.zeros((T, d))
    for p in range(T):
        for i in range(0, d, 2):
            pe[p, i] = np.sin(p / base ** (i // d))
            pe[p, i + 1] = np.cos(p / base ** (i // d))
    return pe
