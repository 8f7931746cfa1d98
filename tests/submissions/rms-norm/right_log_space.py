# outcome: right
# why: the same number by way of logarithms
import torch


def rms_norm(x, g, eps=1e-06):
    size = torch.linalg.vector_norm(x, dim=-1, keepdim=True) / x.shape[-1] ** 0.5
    return g * x * torch.exp(-0.5 * torch.log(size * size + eps))
