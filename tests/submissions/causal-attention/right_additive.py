# outcome: right
# why: a mask of 0 and minus infinity that is added
import math

import torch


def causal_attention(Q, K, V, window=None):
    n = Q.size(-2)
    mask = torch.triu(torch.full((n, n), float("-inf"), dtype=Q.dtype), diagonal=1)
    if window:
        mask = mask + torch.tril(torch.full((n, n), float("-inf"), dtype=Q.dtype), diagonal=-window)
    scores = torch.matmul(Q, K.mT) / math.sqrt(Q.size(-1)) + mask
    return torch.matmul(scores.softmax(-1), V)
