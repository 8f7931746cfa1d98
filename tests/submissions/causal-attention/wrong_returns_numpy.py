# outcome: wrong
# caught by: shape
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    hidden = torch.ones(n, n, dtype=torch.bool).triu(1)
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(hidden, -torch.inf)
    return (torch.softmax(scores, -1) @ V).numpy()
