# outcome: right
# why: a function of one text, mapped over all leading axes at once
import torch


def text(q, k, v, angles):
    def turned(x):
        a, b = x.view(x.shape[0], -1, 2).unbind(-1) if x.is_contiguous() else (x[:, ::2], x[:, 1::2])
        return torch.hstack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()])

    return torch.softmax(turned(q) @ turned(k).T / q.shape[1] ** 0.5, dim=1) @ v


def rotary_attention(q, k, v, positions, base=10000.0):
    angles = positions[:, None] / base ** (torch.arange(0, q.shape[-1], 2, dtype=q.dtype) / q.shape[-1])
    flat = [x.reshape(-1, *x.shape[-2:]) for x in (q, k, v)]
    return torch.vmap(text, in_dims=(0, 0, 0, None))(*flat, angles).reshape(*q.shape[:-1], v.shape[-1])
