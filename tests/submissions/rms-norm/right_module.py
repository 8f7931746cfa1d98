# outcome: right
# why: PyTorch's own layer, with the gain copied into it
import torch
from torch import nn


def rms_norm(x, g, eps=1e-06):
    layer = nn.RMSNorm(g.shape[0], eps=eps, dtype=g.dtype)
    with torch.no_grad():
        layer.weight.copy_(g)
        return layer(x)
