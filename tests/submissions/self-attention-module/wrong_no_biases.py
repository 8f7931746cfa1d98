# outcome: wrong
# caught by: values, parameters
# misconception: slip-partial
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width, inner, dropout=0.0):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(width, inner, bias=False) for _ in range(3))
        self.output = nn.Linear(inner, width, bias=False)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, keep=None):
        s = self.query(x) @ self.key(x).mT / self.query.out_features**0.5
        if keep is not None:
            s = torch.where(keep[..., None, :], s, float("-inf"))
        return self.output(self.drop(s.softmax(-1)) @ self.value(x))
