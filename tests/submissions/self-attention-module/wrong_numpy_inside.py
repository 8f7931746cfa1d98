# outcome: wrong
# caught by: gradients
# misconception: slip-partial
# why: the values are right, but no gradient gets through what NumPy computes
import numpy as np
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width, inner, dropout=0.0):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(width, inner) for _ in range(3))
        self.output = nn.Linear(inner, width)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, keep=None):
        q, k, v = (f(x).detach().numpy() for f in (self.query, self.key, self.value))
        s = q @ np.swapaxes(k, -1, -2) / q.shape[-1] ** 0.5
        if keep is not None:
            s = np.where(keep.numpy()[..., None, :], s, -np.inf)
        a = np.exp(s - s.max(-1, keepdims=True))
        a = self.drop(torch.from_numpy(a / a.sum(-1, keepdims=True)))
        return self.output(a @ torch.from_numpy(v))
