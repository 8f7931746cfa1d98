# outcome: right
# remark: float32
# why: works in float32 whatever comes in, and hands back the promised dtypes
import torch


def flash_attention(Q, K, V, bq, bk, causal=False):
    O, L = [], []
    for i in range(0, Q.shape[-2], bq):
        q = Q[..., i : i + bq, :].float() * Q.shape[-1] ** -0.5
        m = torch.full((*q.shape[:-1], 1), torch.finfo(torch.float32).min)
        l, o = torch.zeros_like(m), torch.zeros(*q.shape[:-1], V.shape[-1])
        for j in range(0, K.shape[-2], bk):
            if causal and j >= i + q.shape[-2]:
                break
            s = q @ K[..., j : j + bk, :].float().mT
            if causal:
                s = s.masked_fill(~torch.ones_like(s, dtype=torch.bool).tril(i - j), -torch.inf)
            n = torch.maximum(m, s.amax(-1, True))
            p = torch.exp(s - n)
            l, o, m = l * torch.exp(m - n) + p.sum(-1, True), o * torch.exp(m - n) + p @ V[..., j : j + bk, :].float(), n
        O.append((o / l).to(Q.dtype))
        L.append((m + l.log())[..., 0])
    return torch.cat(O, -2), torch.cat(L, -1).to(torch.float64 if Q.dtype == torch.float64 else torch.float32)
