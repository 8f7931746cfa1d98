# outcome: right
import torch


def grouped_query_attention(q, k, v):
    *leading, heads, queries, width = q.shape
    shared = q.reshape(*leading, k.shape[-3], -1, width)
    weights = torch.softmax(shared @ k.mT / width**0.5, dim=-1)
    return (weights @ v).reshape(*leading, heads, queries, v.shape[-1])
