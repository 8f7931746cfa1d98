# outcome: wrong
# case: A11
# caught by: sums, first
# misconception: m07-after-softmax
import torch


def causal_attention(Q, K, V, window=None):
    weights = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, -1).tril()
    if window is not None:
        weights = weights.triu(1 - window)
    return weights @ V
