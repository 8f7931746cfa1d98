# outcome: right
# why: the three maps are stacked for one product in each call, and cut apart again
import torch
import torch.nn.functional as F
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width, inner, dropout=0.0):
        super().__init__()
        self.inner = inner
        self.register_module("query", nn.Linear(width, inner))
        self.register_module("key", nn.Linear(width, inner))
        self.register_module("value", nn.Linear(width, inner))
        self.register_module("output", nn.Linear(inner, width))
        self.register_buffer("root", torch.tensor(float(inner)).sqrt(), persistent=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, keep=None):
        maps = (self.query, self.key, self.value)
        qkv = F.linear(x, torch.cat([m.weight for m in maps]), torch.cat([m.bias for m in maps]))
        q, k, v = qkv.split(self.inner, dim=-1)
        scores = q.matmul(k.swapaxes(-1, -2)) / self.inner**0.5
        if keep is not None:
            scores = scores + torch.zeros(keep.shape, dtype=x.dtype).masked_fill(~keep, -torch.inf)[..., None, :]
        e = torch.exp(scores - scores.amax(-1, keepdim=True).detach())
        return self.output(self.dropout(e / e.sum(-1, keepdim=True)) @ v)
