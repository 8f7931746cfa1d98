# outcome: right
# remark: float32
# why: the softmax in float32, as models in low precision do
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width, inner, dropout=0.0):
        super().__init__()
        self.query, self.key, self.value = nn.Linear(width, inner), nn.Linear(width, inner), nn.Linear(width, inner)
        self.output, self.drop = nn.Linear(inner, width), nn.Dropout(dropout)

    def forward(self, x, keep=None):
        s = (self.query(x) @ self.key(x).transpose(-1, -2)) / (self.key.out_features) ** 0.5
        if keep is not None:
            s[~keep.unsqueeze(-2).expand_as(s)] = float("-inf")
        return self.output(self.drop(torch.softmax(s, -1, dtype=torch.float32).type_as(x)) @ self.value(x))
