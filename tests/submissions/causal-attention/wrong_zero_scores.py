# outcome: wrong
# case: A06
# caught by: first, future
# misconception: m07-zero-score
import torch


def causal_attention(Q, K, V, window=None):
    scores = torch.tril(Q @ K.mT / Q.shape[-1] ** 0.5)
    if window is not None:
        scores = torch.triu(scores, 1 - window)
    return torch.softmax(scores, dim=-1) @ V
