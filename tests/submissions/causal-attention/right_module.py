# outcome: right
# why: a module of PyTorch with a buffer, called by the function
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, longest=64):
        super().__init__()
        self.register_buffer("behind", torch.arange(longest)[:, None] - torch.arange(longest))

    def forward(self, Q, K, V, window):
        n = Q.shape[-2]
        behind = self.behind[:n, :n]
        hidden = (behind < 0) if window is None else (behind < 0) | (behind >= window)
        scores = (Q * Q.shape[-1] ** -0.5) @ K.transpose(-2, -1)
        return nn.functional.softmax(scores.masked_fill(hidden, -torch.inf), -1) @ V


attend = Attention()


def causal_attention(Q, K, V, window=None):
    with torch.no_grad():
        return attend(Q, K, V, window)
