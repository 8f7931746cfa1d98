# outcome: right
# why: a loop over tokens that are unbound from a flat table
import math

import torch


def rms_norm(x, g, eps=1e-06):
    rows = []
    for token in x.reshape(-1, x.shape[-1]).unbind():
        squares = sum(float(each) ** 2 for each in token)
        rows.append([float(each) / math.sqrt(squares / len(token) + eps) for each in token])
    return torch.tensor(rows, dtype=x.dtype).reshape(x.shape) * g
