# outcome: right
# why: a loop over queries, with the masked keys left out by indexing; leading axes by recursion
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width, inner, dropout=0.0):
        super().__init__()
        self.query, self.key, self.value, self.output = (
            nn.Linear(width, inner), nn.Linear(width, inner), nn.Linear(width, inner), nn.Linear(inner, width)
        )
        self.drop = nn.Dropout(dropout)

    def forward(self, x, keep=None):
        if x.dim() > 2:
            masks = [None] * len(x) if keep is None else keep
            return torch.stack([self.forward(text, mask) for text, mask in zip(x, masks)])
        chosen = x if keep is None else x[keep]
        k, v = self.key(chosen), self.value(chosen)
        rows = []
        for q in self.query(x):
            s = k @ q / q.numel() ** 0.5
            rows.append(self.drop(torch.exp(s - s.max()) / torch.exp(s - s.max()).sum()) @ v)
        return self.output(torch.stack(rows))
