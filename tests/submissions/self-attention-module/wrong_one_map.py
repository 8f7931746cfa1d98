# outcome: wrong
# caught by: values, parameters
# misconception: m05-one-projection
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width, inner, dropout=0.0):
        super().__init__()
        self.query = nn.Linear(width, inner)
        self.output = nn.Linear(inner, width)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, keep=None):
        q = k = v = self.query(x)
        s = q @ k.mT / self.query.out_features**0.5
        if keep is not None:
            s = torch.where(keep[..., None, :], s, float("-inf"))
        return self.output(self.drop(s.softmax(-1)) @ v)
