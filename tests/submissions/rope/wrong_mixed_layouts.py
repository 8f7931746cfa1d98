# outcome: wrong
# caught by: length
# misconception: m15-mixed-layouts
import torch


def rope(x, positions, base=10000.0):
    speeds = base ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    angles = torch.outer(positions, speeds).repeat_interleave(2, dim=-1)
    first, second = x.chunk(2, dim=-1)
    return x * angles.cos() + torch.cat([-second, first], dim=-1) * angles.sin()
