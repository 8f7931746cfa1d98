# outcome: right
import torch


def rope(x, positions, base=10000.0):
    width = x.shape[-1]
    speeds = base ** (-torch.arange(0, width, 2, dtype=x.dtype) / width)
    angles = positions[:, None] * speeds
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = torch.stack([even * angles.cos() - odd * angles.sin(), even * angles.sin() + odd * angles.cos()], dim=-1)
    return turned.flatten(-2)
