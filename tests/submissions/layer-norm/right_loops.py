# outcome: right
import math

import torch


def layer_norm(x, g, b, eps=1e-05):
    rows = []
    for row in x.reshape(-1, x.shape[-1]):
        mean = math.fsum(row.tolist()) / len(row)
        variance = math.fsum((number - mean) ** 2 for number in row.tolist()) / len(row)
        rows.append([(number - mean) / math.sqrt(variance + eps) for number in row.tolist()])
    return torch.tensor(rows, dtype=x.dtype).reshape(x.shape) * g + b
