# outcome: right
# why: as models write it, x cos + rotated(x) sin, with neighbours exchanged by flip and a sign
import torch


def rotated(x):
    return (x.unflatten(-1, (-1, 2)).flip(-1) * torch.tensor([-1.0, 1.0], dtype=x.dtype)).flatten(-2)


def rope(x, positions, base=10000.0):
    frequencies = 1.0 / (base ** (torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1]))
    angles = torch.outer(positions, frequencies).repeat_interleave(2, dim=-1)
    return x * angles.cos() + rotated(x) * angles.sin()
