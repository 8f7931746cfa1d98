"""Grouped-query attention that copies neither keys nor values: what a learner's program is measured against."""

import torch


def grouped_query_attention(q, k, v):
    *leading, heads, queries, width = q.shape
    grouped = q.reshape(*leading, k.shape[-3], heads // k.shape[-3] * queries, width)
    weights = torch.softmax(grouped @ k.transpose(-1, -2) / width**0.5, dim=-1)
    return (weights @ v).reshape(*leading, heads, queries, v.shape[-1])
