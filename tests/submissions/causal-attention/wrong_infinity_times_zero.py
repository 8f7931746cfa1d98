# outcome: wrong
# caught by: values
# misconception: m07-infinity-times-zero
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    mask = torch.triu(torch.ones(n, n), diagonal=1) * float("-inf")
    return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5 + mask, dim=-1) @ V
