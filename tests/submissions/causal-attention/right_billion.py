# outcome: right
# why: a finite number is as good as infinity while no score comes near it
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    keep = torch.tril(torch.ones(n, n))
    if window is not None:
        keep = keep - torch.tril(torch.ones(n, n), -window)
    scores = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5
    return torch.softmax(scores.masked_fill(keep == 0, -1e9), dim=-1) @ V
