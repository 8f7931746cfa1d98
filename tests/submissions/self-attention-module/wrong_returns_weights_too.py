# outcome: wrong
# caught by: shape
# got: a tuple of 2 values
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width, inner, dropout=0.0):
        super().__init__()
        self.query, self.key, self.value = nn.Linear(width, inner), nn.Linear(width, inner), nn.Linear(width, inner)
        self.output, self.drop, self.calls = nn.Linear(inner, width), nn.Dropout(dropout), 0

    def forward(self, x, keep=None):
        s = self.query(x) @ self.key(x).mT / self.key.out_features**0.5
        if keep is not None:
            s = s.masked_fill(~keep[..., None, :], -torch.inf)
        weights = self.drop(s.softmax(-1))
        return self.output(weights @ self.value(x)), weights
