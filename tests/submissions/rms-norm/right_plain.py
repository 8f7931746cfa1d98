# outcome: right
import torch


def rms_norm(x, g, eps=1e-06):
    return g * x * torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)
