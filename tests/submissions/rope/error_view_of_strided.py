# outcome: error
# case: A37
# why: view needs memory without gaps, and a caller may pass a part of a longer tensor
import torch


def rope(x, positions, base=10000.0):
    pairs = x.view(*x.shape[:-1], x.shape[-1] // 2, 2)
    angles = torch.outer(positions, base ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1]))
    cos, sin = angles.cos(), angles.sin()
    first, second = pairs.transpose(-1, -2).contiguous().view(x.numel() // 2, 2).unbind(-1)
    return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)
