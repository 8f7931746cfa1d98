# outcome: fragile
# case: A11
# caught by: future-large
# misconception: m07-renormalise-later
import torch


def causal_attention(Q, K, V, window=None):
    weights = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, -1).tril()
    if window is not None:
        weights = weights.triu(1 - window)
    return weights / weights.sum(-1, keepdim=True) @ V
