# outcome: right
# why: positions are moved to the first one and turned over, since only distances enter
import torch


class Turner:
    def __init__(self, positions, width, base):
        self.angles = (positions[0] - positions)[:, None] * torch.pow(torch.tensor(base, dtype=positions.dtype), -torch.arange(0, width, 2, dtype=positions.dtype) / width)

    def __call__(self, x):
        result = torch.empty(x.shape, dtype=x.dtype)
        c, s = torch.cos(self.angles), torch.sin(self.angles)
        torch.sub(x[..., ::2] * c, -x[..., 1::2] * s, out=result[..., ::2])
        result[..., 1::2] = x[..., 1::2] * c - x[..., ::2] * s
        return result


def rotary_attention(q, k, v, positions, base=10000.0):
    turner = Turner(positions, q.shape[-1], base)
    logits = turner(q) @ turner(k).mT * q.shape[-1] ** -0.5
    weights = torch.exp(logits - torch.logsumexp(logits, -1, keepdim=True))
    return torch.matmul(weights, v)
