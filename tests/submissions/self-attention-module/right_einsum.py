# outcome: right
# why: maps of its own class, a mask that is added, weights by hand and dropout by a random mask
import torch
from torch import nn


class Map(nn.Module):
    def __init__(self, columns_in, columns_out):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(columns_out, columns_in))
        self.bias = nn.Parameter(torch.zeros(columns_out))

    def forward(self, x):
        return torch.einsum("...i,oi->...o", x, self.weight) + self.bias


class SelfAttention(nn.Module):
    def __init__(self, width, inner, dropout=0.0):
        super().__init__()
        self.query, self.key, self.value = Map(width, inner), Map(width, inner), Map(width, inner)
        self.output = Map(inner, width)
        self.drop = dropout

    def forward(self, x, keep=None):
        s = torch.einsum("...qm,...km->...qk", self.query(x) * self.query.bias.numel() ** -0.5, self.key(x))
        if keep is not None:
            s = s + torch.log(keep.to(s.dtype)).unsqueeze(-2)
        a = (s - torch.logsumexp(s, dim=-1, keepdim=True)).exp()
        if self.training and self.drop:
            a = a * (torch.rand_like(a) >= self.drop) / (1 - self.drop)
        return self.output(torch.einsum("...qk,...km->...qm", a, self.value(x)))
