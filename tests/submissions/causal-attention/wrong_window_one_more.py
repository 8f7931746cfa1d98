# outcome: wrong
# case: A09
# caught by: window
# misconception: slip-off-by-one
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    keep = torch.ones(n, n, dtype=torch.bool).tril()
    if window is not None:
        keep = keep.triu(-window)
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~keep, -torch.inf)
    return torch.softmax(scores, -1) @ V
