# outcome: right
import torch


def grouped_query_attention(q, k, v):
    grouped = q.unflatten(-3, (k.shape[-3], -1))
    scores = torch.einsum("...grid,...gjd->...grij", grouped, k).div(q.shape[-1] ** 0.5)
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    return torch.einsum("...grij,...gjv->...griv", weights, v).flatten(-4, -3)
