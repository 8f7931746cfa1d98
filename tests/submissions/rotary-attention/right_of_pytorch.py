# outcome: right
# why: PyTorch's own attention on turned tensors
import torch
import torch.nn.functional as F


def turn(x, cos, sin):
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(start_dim=-2)


def rotary_attention(q, k, v, positions, base=10000.0):
    theta = torch.tensor([base ** (-2 * i / q.shape[-1]) for i in range(q.shape[-1] // 2)], dtype=q.dtype)
    table = positions.reshape(-1, 1) * theta
    return F.scaled_dot_product_attention(turn(q, table.cos(), table.sin()), turn(k, table.cos(), table.sin()), v)
