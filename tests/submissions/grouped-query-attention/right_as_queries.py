# outcome: right
# why: the queries of a group lie below each other, as more queries of one head
import torch


def grouped_query_attention(q, k, v):
    *leading, heads, queries, width = q.shape
    stacked = q.reshape(*leading, k.shape[-3], -1, width)
    weights = torch.softmax(stacked @ k.mT / width**0.5, -1)
    return (weights @ v).reshape(*leading, heads, queries, v.shape[-1])
