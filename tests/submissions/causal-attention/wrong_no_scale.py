# outcome: wrong
# caught by: values
# misconception: m03-no-scale
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    keep = torch.ones(n, n, dtype=torch.bool).tril()
    if window is not None:
        keep = keep.triu(1 - window)
    return torch.softmax((Q @ K.mT).masked_fill(~keep, -torch.inf), -1) @ V
