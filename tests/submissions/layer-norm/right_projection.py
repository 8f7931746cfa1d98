# outcome: right
# why: a product with I - 11ᵀ/n takes the mean away; the variance is a squared length
import torch
from torch import Tensor


def layer_norm(x: Tensor, g: Tensor, b: Tensor, eps: float = 1e-05) -> Tensor:
    n = x.size(-1)
    centred = x @ (torch.eye(n, dtype=x.dtype) - 1.0 / n)
    return torch.addcmul(b, centred, g * torch.rsqrt(torch.linalg.vector_norm(centred, dim=-1, keepdim=True) ** 2 / n + eps))
