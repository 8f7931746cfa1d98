# outcome: wrong
# case: A33
# caught by: repeatable
# why: the first output of a layer is right, later ones are not
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
        self.calls += 1
        return self.calls * self.output(self.drop(s.softmax(-1)) @ self.value(x))
