# outcome: wrong
# case: A33
# caught by: training
# got: sums of something else
# why: the weights that stay are not scaled up
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width, inner, dropout=0.0):
        super().__init__()
        self.query, self.key, self.value = nn.Linear(width, inner), nn.Linear(width, inner), nn.Linear(width, inner)
        self.output, self.drop, self.p = nn.Linear(inner, width), nn.Dropout(dropout), dropout

    def forward(self, x, keep=None):
        s = self.query(x) @ self.key(x).mT / self.key.out_features**0.5
        if keep is not None:
            s = s.masked_fill(~keep[..., None, :], -torch.inf)
        weights = s.softmax(-1)
        if self.training:
            weights = weights * (torch.rand_like(weights) >= self.p)
        return self.output(weights @ self.value(x))
