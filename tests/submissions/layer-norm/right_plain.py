# outcome: right
import torch


def layer_norm(x, g, b, eps=1e-05):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return g * (x - mean) / torch.sqrt(variance + eps) + b
