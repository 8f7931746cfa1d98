# outcome: wrong
# case: A06
# caught by: first, future
# misconception: m07-adds-the-mask
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    scores = Q @ K.mT / Q.shape[-1] ** 0.5 + torch.tril(torch.ones(n, n))
    return torch.softmax(scores, dim=-1) @ V
