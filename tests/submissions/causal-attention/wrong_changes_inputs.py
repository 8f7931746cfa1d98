# outcome: wrong
# case: A34
# caught by: unchanged
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    keep = torch.ones(n, n, dtype=torch.bool).tril()
    if window is not None:
        keep = keep.triu(1 - window)
    Q.div_(Q.shape[-1] ** 0.5)
    return torch.softmax((Q @ K.mT).masked_fill(~keep, -torch.inf), -1) @ V
