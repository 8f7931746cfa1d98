# outcome: wrong
# caught by: cost
# misconception: m18-cache-by-h
import torch


def grouped_query_attention(q, k, v):
    times = q.shape[-3] // k.shape[-3]
    k, v = k.repeat_interleave(times, dim=-3), v.repeat_interleave(times, dim=-3)
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1) @ v
