# outcome: wrong
# caught by: cost
# misconception: m18-cache-by-h
# why: expand makes a view, but the product of a view with itself many times over is made from a copy
import torch


def grouped_query_attention(q, k, v):
    grouped = q.unflatten(-3, (k.shape[-3], -1))
    k, v = (
        k.unsqueeze(-3).expand(*grouped.shape[:-2], *k.shape[-2:]),
        v.unsqueeze(-3).expand(*grouped.shape[:-2], *v.shape[-2:]),
    )
    return (torch.softmax(grouped @ k.mT / q.shape[-1] ** 0.5, dim=-1) @ v).flatten(-4, -3)
