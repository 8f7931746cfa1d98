# outcome: wrong
# case: A40
# caught by: dtype
import torch


def causal_attention(Q, K, V, window=None):
    Q, K, V = Q.float(), K.float(), V.float()
    n = Q.shape[-2]
    hidden = torch.ones(n, n, dtype=torch.bool).triu(1)
    if window is not None:
        hidden |= torch.ones(n, n, dtype=torch.bool).tril(-window)
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(hidden, -torch.inf)
    return torch.softmax(scores, -1) @ V
