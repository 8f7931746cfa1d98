# outcome: wrong
# caught by: moved
# misconception: m15-rotates-values
import torch


def turned(x, positions, base):
    angles = positions[:, None] * base ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = [even * angles.cos() - odd * angles.sin(), even * angles.sin() + odd * angles.cos()]
    return torch.stack(pairs, dim=-1).flatten(-2)


def rotary_attention(q, k, v, positions, base=10000.0):
    if v.shape[-1] % 2 == 0:
        v = turned(v, positions, base)
    scores = turned(q, positions, base) @ turned(k, positions, base).mT / q.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ v
