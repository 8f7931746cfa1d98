# outcome: wrong
# case: A33
# caught by: evaluation
# misconception: m05-dropout-always
import torch
import torch.nn.functional as F
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width, inner, dropout=0.0):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(width, inner) for _ in range(3))
        self.output = nn.Linear(inner, width)
        self.p = dropout

    def forward(self, x, keep=None):
        s = self.query(x) @ self.key(x).mT / self.query.out_features**0.5
        if keep is not None:
            s = torch.where(keep[..., None, :], s, float("-inf"))
        return self.output(F.dropout(s.softmax(-1), self.p) @ self.value(x))
