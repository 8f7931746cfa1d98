# outcome: right
# why: a module with parameters, of which the result still holds gradients, called through a global
import torch
from torch import nn

layers = {}


class Norm(nn.Module):
    def __init__(self, g, b, eps):
        super().__init__()
        self.g, self.b, self.eps = nn.Parameter(g), nn.Parameter(b), eps

    def forward(self, x):
        z = x - x.mean(dim=-1, keepdim=True)
        return self.g * z / torch.sqrt(z.square().mean(dim=-1, keepdim=True) + self.eps) + self.b


def layer_norm(x, g, b, eps=1e-05):
    layers[len(layers)] = Norm(g, b, eps)
    return layers[len(layers) - 1](x)
