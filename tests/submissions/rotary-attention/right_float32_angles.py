# outcome: right
# remark: float32
# why: angles in float32, as models keep their tables
import torch


def rotary_attention(q, k, v, positions, base=10000.0):
    theta = 1.0 / base ** (torch.arange(0, q.shape[-1], 2).float() / q.shape[-1])
    angles = (positions.float()[:, None] * theta).repeat_interleave(2, -1)
    rotate = lambda x: torch.stack((-x[..., 1::2], x[..., ::2]), -1).reshape(x.shape)  # noqa: E731
    q, k = (x * angles.cos() + rotate(x) * angles.sin() for x in (q, k))
    return torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, -1) @ v
