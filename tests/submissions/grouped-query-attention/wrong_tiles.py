# outcome: wrong
# case: A24
# caught by: groups, shared
# misconception: m18-tile-is-repeat
import torch


def grouped_query_attention(q, k, v):
    times = q.shape[-3] // k.shape[-3]
    k, v = torch.cat([k] * times, dim=-3), torch.cat([v] * times, dim=-3)
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1) @ v
