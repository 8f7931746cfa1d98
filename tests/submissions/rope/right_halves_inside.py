# outcome: right
# why: turns halves, as other programs do, between a reordering of the columns and its inverse
import torch


def rope(x, positions, base=10000.0):
    d = x.shape[-1]
    order = torch.cat([torch.arange(0, d, 2), torch.arange(1, d, 2)])
    first, second = x[..., order].chunk(2, dim=-1)
    angles = positions[:, None] * torch.exp(-torch.arange(d // 2).to(x) * 2 / d * torch.log(torch.tensor(base).to(x)))
    halves = torch.cat([first * angles.cos() - second * angles.sin(), second * angles.cos() + first * angles.sin()], -1)
    return halves[..., torch.argsort(order)]
