# outcome: right
# remark: float32
# why: a tensor of a number is float32, and so is its root
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    hidden = torch.ones(n, n, dtype=torch.bool).triu(1)
    if window is not None:
        hidden |= torch.ones(n, n, dtype=torch.bool).tril(-window)
    scores = Q @ K.mT / torch.sqrt(torch.tensor(Q.shape[-1]))
    return torch.softmax(scores.masked_fill(hidden, -torch.inf), -1) @ V
