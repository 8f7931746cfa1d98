# outcome: right
# why: a generator of tiles, a fold over them, and keyword arguments with other names inside
from functools import reduce
from itertools import product

import torch


def tiles(scores_of, keys, size, last):
    for first in range(0, keys, size):
        if last is None or first <= last:
            yield scores_of(first, min(first + size, keys))


def join(one, two):
    (a, x), (b, y) = one, two
    peak = torch.maximum(a, b)
    return peak, x * torch.exp(a - peak) + y * torch.exp(b - peak)


def flash_attention(Q, K, V, bq, bk, causal=False):
    wide = torch.promote_types(Q.dtype, torch.float32)
    outputs, logs = [], []
    for start in range(0, Q.shape[-2], bq):
        q = Q[..., start : start + bq, :].to(wide)
        stop = start + q.shape[-2]

        def part(first, end):
            s = q @ K[..., first:end, :].to(wide).mT / Q.shape[-1] ** 0.5
            if causal:
                s = s - torch.tensor([[1e18 if j > i else 0.0 for j in range(first, end)] for i in range(start, stop)], dtype=wide)
            peak = s.amax(-1, keepdim=True)
            p = torch.exp(s - peak)
            return peak, torch.cat([p @ V[..., first:end, :].to(wide), p.sum(-1, keepdim=True)], -1)

        peak, both = reduce(join, tiles(part, K.shape[-2], bk, stop - 1 if causal else None))
        outputs.append(both[..., :-1] / both[..., -1:])
        logs.append((peak + both[..., -1:].log()).squeeze(-1))
    return torch.cat(outputs, -2).to(Q.dtype), torch.cat(logs, -1)
