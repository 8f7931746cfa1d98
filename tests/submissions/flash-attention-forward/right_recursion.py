# outcome: right
# why: keys are halved until they fit into a tile; nothing runs from left to right
from collections import namedtuple

import torch

Flash = namedtuple("Flash", "O LSE")


def halves(q, K, V, first, bk, last):
    count = K.shape[-2]
    if last is not None and first > last[-1]:
        return torch.zeros((), dtype=q.dtype), torch.full(q.shape[:-1], -torch.inf, dtype=q.dtype)
    if count <= bk:
        s = q @ K.to(q.dtype).mT
        if last is not None:
            s = s.masked_fill(torch.arange(first, first + count) > last[:, None], -torch.inf)
        log = s.logsumexp(dim=-1)
        return torch.exp(s - log.clamp(min=torch.finfo(log.dtype).min)[..., None]) @ V.to(q.dtype), log
    half = -(-count // 2)
    one, a = halves(q, K[..., :half, :], V[..., :half, :], first, bk, last)
    two, b = halves(q, K[..., half:, :], V[..., half:, :], first + half, bk, last)
    log = torch.logaddexp(a, b)
    shares = (torch.exp(each - log.clamp(min=torch.finfo(log.dtype).min))[..., None] for each in (a, b))
    return next(shares) * one + next(shares) * two, log


def flash_attention(Q, K, V, bq, bk, causal=False):
    work = torch.float64 if Q.dtype == torch.float64 else torch.float32
    outs, logs = [], []
    for i in range(0, Q.shape[-2], bq):
        q = Q[..., i : i + bq, :].to(work) / Q.shape[-1] ** 0.5
        last = torch.arange(i, i + q.shape[-2]) if causal else None
        out, log = halves(q, K, V, 0, bk, last)
        outs.append(out)
        logs.append(log)
    return Flash(torch.cat(outs, -2).to(Q.dtype), torch.cat(logs, -1))
