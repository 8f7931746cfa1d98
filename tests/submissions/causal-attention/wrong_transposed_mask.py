# outcome: wrong
# caught by: last, first
# misconception: m07-transposed
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    hidden = torch.tril(torch.ones(n, n), diagonal=-1).bool()
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(hidden, -torch.inf)
    return torch.softmax(scores, -1) @ V
