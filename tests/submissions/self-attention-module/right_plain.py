# outcome: right
import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width, inner, dropout=0.0):
        super().__init__()
        self.query = nn.Linear(width, inner)
        self.key = nn.Linear(width, inner)
        self.value = nn.Linear(width, inner)
        self.output = nn.Linear(inner, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, keep=None):
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        if keep is not None:
            scores = scores.masked_fill(~keep.unsqueeze(-2), float("-inf"))
        return self.output(self.dropout(torch.softmax(scores, dim=-1)) @ v)
