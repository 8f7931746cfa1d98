# outcome: right
# why: a product does not mind in which order the columns stand, so the halves may be paired after a reordering
import torch


def rotary_attention(q, k, v, positions, base=10000.0):
    angles = torch.outer(positions + 1, base ** (-torch.arange(0, q.shape[-1], 2, dtype=q.dtype) / q.shape[-1]))
    cos, sin = angles.cos(), angles.sin()

    def turned(x):
        first, second = x[..., 0::2], x[..., 1::2]
        return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)

    return torch.nn.functional.scaled_dot_product_attention(turned(q), turned(k), v)
