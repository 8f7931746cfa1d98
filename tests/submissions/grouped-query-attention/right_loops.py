# outcome: right
# why: a loop over query heads that finds its key head by a division without remainder
import torch


def head(q, k, v):
    s = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    e = (s - s.max(dim=-1, keepdim=True).values).exp()
    return e / e.sum(dim=-1, keepdim=True) @ v


def grouped_query_attention(q, k, v):
    share = q.shape[-3] // k.shape[-3]
    return torch.stack([head(q[..., h, :, :], k[..., h // share, :, :], v[..., h // share, :, :]) for h in range(q.shape[-3])], -3)
