# outcome: right
# remark: float32
# why: the angles are computed in float32, as libraries do
import torch


def rope(x, positions, base=10000.0):
    speeds = 1.0 / (base ** (torch.arange(0, x.shape[-1], 2).float() / x.shape[-1]))
    angles = torch.outer(positions.float(), speeds).repeat_interleave(2, dim=-1)
    across = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return x * angles.cos().to(x.dtype) + across * angles.sin().to(x.dtype)
