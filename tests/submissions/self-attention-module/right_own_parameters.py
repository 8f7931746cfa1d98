# outcome: right
# why: a map of its own kind with a weight and a bias; scores in log space, and dropout by bernoulli
import torch
from torch import nn


class Affine(nn.Module):
    def __init__(self, columns_in, columns_out):
        super().__init__()
        self.bias = nn.Parameter(torch.empty(columns_out).uniform_(-1, 1))
        self.weight = nn.Parameter(torch.nn.init.xavier_uniform_(torch.empty(columns_out, columns_in)))

    def forward(self, x):
        return torch.addmm(self.bias, x.reshape(-1, x.shape[-1]), self.weight.t()).view(*x.shape[:-1], -1)


class SelfAttention(nn.Module):
    def __init__(self, width, inner, dropout=0.0, **further):
        super().__init__()
        self.p, self.scale = dropout, inner**-0.5
        self.query, self.key, self.value = (Affine(width, inner) for _ in range(3))
        self.output = Affine(inner, width)

    def forward(self, x, keep=None):
        s = torch.einsum("...im,...jm->...ij", self.query(x), self.key(x)) * self.scale
        if keep is not None:
            s = s.masked_fill(keep.logical_not().unsqueeze(-2), float("-inf"))
        a = torch.exp(torch.log_softmax(s, dim=-1))
        if self.training and self.p > 0:
            a = a * torch.bernoulli(torch.full_like(a, 1 - self.p)) / (1 - self.p)
        return self.output(a @ self.value(x))
