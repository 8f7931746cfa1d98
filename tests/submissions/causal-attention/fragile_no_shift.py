# outcome: fragile
# caught by: large
# misconception: m03-no-shift-needed
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    keep = torch.ones(n, n, dtype=torch.bool).tril()
    if window is not None:
        keep = keep.triu(1 - window)
    e = torch.exp(Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~keep, 0)
    return e / e.sum(-1, keepdim=True) @ V
