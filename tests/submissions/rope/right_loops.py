# outcome: right
# why: pair by pair and token by token, into a clone
from math import cos, sin

import torch


def rope(x, positions, base=10000.0):
    result, d = x.clone(), x.size(-1)
    for t in range(x.size(-2)):
        for i in range(d // 2):
            angle = float(positions[t]) / base ** (2 * i / d)
            even, odd = x[..., t, 2 * i], x[..., t, 2 * i + 1]
            result[..., t, 2 * i] = even * cos(angle) - odd * sin(angle)
            result[..., t, 2 * i + 1] = even * sin(angle) + odd * cos(angle)
    return result
