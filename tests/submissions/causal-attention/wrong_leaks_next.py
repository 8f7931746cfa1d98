# outcome: wrong
# caught by: first, future
# misconception: m07-leaks-next
# why: the window is forgotten as well; the leak is named, since it shows without one
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    hidden = torch.triu(torch.ones(n, n), diagonal=2).bool()
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(hidden, -torch.inf)
    return torch.softmax(scores, -1) @ V
