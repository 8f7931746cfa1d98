# outcome: right
# why: masked_fill with minus infinity
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    hidden = torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1)
    if window is not None:
        hidden = hidden | torch.tril(torch.ones(n, n, dtype=torch.bool), diagonal=-window)
    return torch.softmax(scores.masked_fill(hidden, float("-inf")), dim=-1) @ V
