# outcome: right
# why: as the algorithm is written in books, with m, l and o by name and the largest score of a first tile as a start
import math

import torch


@torch.no_grad()
def flash_attention(Q, K, V, bq, bk, causal=False):
    dt = {torch.float64: torch.float64}.get(Q.dtype, torch.float32)
    O, LSE = torch.empty(*Q.shape[:-1], V.shape[-1], dtype=Q.dtype), torch.empty(Q.shape[:-1], dtype=dt)
    n = Q.shape[-2]
    for i0 in range(0, n, bq):
        i1 = min(i0 + bq, n)
        Qi = Q[..., i0:i1, :].to(dt).div(math.sqrt(Q.shape[-1]))
        m = l = o = None
        for j0 in range(0, min(K.shape[-2], i1) if causal else K.shape[-2], bk):
            Kj, Vj = (x[..., j0 : j0 + bk, :].to(dt) for x in (K, V))
            S = torch.einsum("...id,...jd->...ij", Qi, Kj)
            if causal and j0 + Kj.shape[-2] > i0:
                S = S + torch.full_like(S, -math.inf).triu(i0 - j0 + 1)
            new = S.amax(-1, keepdim=True) if m is None else torch.maximum(m, S.amax(-1, keepdim=True))
            P = torch.exp(S - new)
            if m is None:
                l, o = P.sum(-1, keepdim=True), P @ Vj
            else:
                l, o = torch.exp(m - new) * l + P.sum(-1, keepdim=True), torch.exp(m - new) * o + P @ Vj
            m = new
        O[..., i0:i1, :] = (o / l).to(Q.dtype)
        LSE[..., i0:i1] = (m + l.log()).squeeze(-1)
    return O, LSE
