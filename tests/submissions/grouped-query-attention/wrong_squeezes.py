# outcome: wrong
# case: A36
# caught by: shape
# why: an axis of length 1 is an axis all the same
import torch


def grouped_query_attention(q, k, v):
    grouped = q.unflatten(-3, (k.shape[-3], -1))
    scores = torch.einsum("...grid,...gjd->...grij", grouped, k) / q.shape[-1] ** 0.5
    return torch.einsum("...grij,...gjv->...griv", torch.softmax(scores, -1), v).flatten(-4, -3).squeeze()
