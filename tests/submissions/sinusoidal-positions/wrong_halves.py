# outcome: wrong
# caught by: values, circle
# misconception: m04-layout
import numpy as np


def sinusoidal_positions(T, d, base=10000):
    a = np.arange(T)[:, None] / base ** (np.arange(0, d, 2) / d)
    return np.concatenate([np.sin(a), np.cos(a)], axis=1)
