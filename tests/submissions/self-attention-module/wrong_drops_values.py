# outcome: wrong
# case: A33
# caught by: training
# got: rows whose columns have lost different weights
# why: the dropout comes after the mixing, so it drops numbers of the result and no weight
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
        return self.output(self.drop(s.softmax(-1) @ self.value(x)))
