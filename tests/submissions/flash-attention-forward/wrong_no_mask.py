# outcome: wrong
# caught by: causal, future
# misconception: m07-only-generation
import torch


def flash_attention(Q, K, V, bq, bk, causal=False):
    work = torch.promote_types(Q.dtype, torch.float32)
    outputs, logarithms = [], []
    for queries in Q.split(bq, dim=-2):
        m = torch.full((*queries.shape[:-1], 1), -torch.inf, dtype=work)
        l, o = torch.zeros_like(m), torch.zeros(*queries.shape[:-1], V.shape[-1], dtype=work)
        for keys, values in zip(K.split(bk, dim=-2), V.split(bk, dim=-2)):
            s = queries.to(work) @ keys.to(work).mT / Q.shape[-1] ** 0.5
            larger = torch.maximum(m, s.amax(-1, keepdim=True))
            p, old, m = torch.exp(s - larger), torch.exp(m - larger), larger
            l, o = old * l + p.sum(-1, keepdim=True), old * o + p @ values.to(work)
        outputs.append((o / l).to(Q.dtype))
        logarithms.append((m + l.log()).squeeze(-1))
    return torch.cat(outputs, dim=-2), torch.cat(logarithms, dim=-1)
