# outcome: right
import torch
from torch.nn.functional import scaled_dot_product_attention


def grouped_query_attention(q, k, v):
    times = q.shape[-3] // k.shape[-3]
    heads = [
        scaled_dot_product_attention(q[..., head, :, :], k[..., head // times, :, :], v[..., head // times, :, :])
        for head in range(q.shape[-3])
    ]
    return torch.stack(heads, dim=-3)
