# outcome: wrong
# case: A29
# caught by: values
# misconception: m15-layout
# why: the other layout, as many libraries write it
import torch


def rotate_half(x):
    first, second = x.chunk(2, dim=-1)
    return torch.cat([-second, first], dim=-1)


def rope(x, positions, base=10000.0):
    speeds = base ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    angles = torch.outer(positions, speeds)
    angles = torch.cat([angles, angles], dim=-1)
    return x * angles.cos() + rotate_half(x) * angles.sin()
