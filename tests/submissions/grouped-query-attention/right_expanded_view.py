# outcome: right
# why: keys get an axis of length 1 that products broadcast over
import torch


def grouped_query_attention(q, k, v):
    g = k.shape[-3]
    q = q.reshape(*q.shape[:-3], g, -1, *q.shape[-2:])
    scores = torch.stack([q[..., r, :, :] @ k.mT for r in range(q.shape[-3])], dim=-3) / k.shape[-1] ** 0.5
    weights = scores.sub(scores.logsumexp(-1, keepdim=True)).exp()
    mixed = torch.stack([weights[..., r, :, :] @ v for r in range(q.shape[-3])], dim=-3)
    return mixed.flatten(-4, -3)
