# outcome: wrong
# case: A05
# caught by: last, first
# misconception: m07-bool-polarity
# why: a mask that means keep, given to masked_fill, which writes where it is True
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    keep = torch.tril(torch.ones(n, n)).bool()
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(keep, -torch.inf)
    return torch.softmax(scores, -1) @ V
