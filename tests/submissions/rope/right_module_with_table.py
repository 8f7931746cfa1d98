# outcome: right
# why: a module with a buffer of frequencies, kept between calls by width and base
from functools import lru_cache

import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self, width, base):
        super().__init__()
        exponents = torch.linspace(0, 1, width // 2 + 1, dtype=torch.float64)[:-1]
        self.register_buffer("theta", torch.pow(torch.tensor(base, dtype=torch.float64), -exponents))

    def forward(self, x, positions):
        angles = positions.unsqueeze(-1) * self.theta
        pairs = x.reshape(*x.shape[:-1], -1, 2)
        turn = torch.stack([torch.stack([angles.cos(), -angles.sin()], -1), torch.stack([angles.sin(), angles.cos()], -1)], -2)
        return torch.einsum("tiab,...tib->...tia", turn, pairs).reshape_as(x)


made = lru_cache(maxsize=16)(Rotary)


def rope(x, positions, base=10000.0):
    return made(x.shape[-1], float(base))(x, positions)
