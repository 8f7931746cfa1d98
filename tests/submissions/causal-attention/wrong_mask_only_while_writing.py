# outcome: wrong
# caught by: future
# misconception: m07-only-generation
# why: the mask is kept for a single query, where there is nothing to hide
import torch


def causal_attention(Q, K, V, window=None):
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if Q.shape[-2] == 1:
        scores = scores.masked_fill(torch.ones(1, 1, dtype=torch.bool).triu(1), -torch.inf)
    return scores.softmax(-1) @ V
