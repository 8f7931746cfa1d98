# outcome: wrong
# caught by: values
# misconception:
# why: keeps the future out perfectly, and never looks at a score
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    keep = torch.ones(n, n, dtype=V.dtype).tril()
    if window is not None:
        keep = keep.triu(1 - window)
    return keep / keep.sum(-1, keepdim=True) @ V
