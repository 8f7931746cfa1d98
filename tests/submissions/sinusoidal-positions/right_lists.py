# outcome: right
import math

import numpy as np


def row(p, d, base):
    out = []
    for i in range(d // 2):
        w = math.exp(-2 * i / d * math.log(base))
        out += [math.sin(p * w), math.cos(p * w)]
    return out


def sinusoidal_positions(T, d, base=10000):
    return np.array([row(p, d, base) for p in range(T)])
