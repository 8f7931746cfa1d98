# outcome: right
# case: A28
# why: the same frequencies for sines and cosines fit only an even width, which is all that the brief asks for
import numpy as np


def sinusoidal_positions(T, d, base=10000):
    angles = np.outer(np.arange(T), base ** (-np.arange(0, d, 2) / d))
    table = np.empty((T, d))
    table[:, ::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table
