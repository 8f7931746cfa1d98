# outcome: right
# why: one formula for every place; a cosine is a sine a quarter turn later
import numpy as np


def sinusoidal_positions(T, d, base=10000):
    def entry(p, c):
        return np.sin(p / np.power(float(base), (c - c % 2) / d) + (c % 2) * np.pi / 2)

    return np.fromfunction(entry, (T, d))
