# outcome: right
# why: keys in the outer loop and queries in the inner one, with the state of all queries in buffers
import torch


def flash_attention(Q, K, V, bq, bk, causal=False):
    work = torch.promote_types(Q.dtype, torch.float32)
    n, m = Q.shape[-2], K.shape[-2]
    top = torch.full(Q.shape[:-1], -torch.inf, dtype=work)
    total, out = torch.zeros_like(top), torch.zeros(*Q.shape[:-1], V.shape[-1], dtype=work)
    for j in range(0, m, bk):
        keys, values = K[..., j : j + bk, :].to(work), V[..., j : j + bk, :].to(work)
        for i in range(0, n, bq):
            rows = slice(i, min(i + bq, n))
            if causal and rows.stop <= j:
                continue
            s = Q[..., rows, :].to(work) @ keys.mT / Q.shape[-1] ** 0.5
            if causal:
                seen = torch.arange(i, rows.stop)[:, None] >= torch.arange(j, j + keys.shape[-2])
                s = torch.where(seen, s, -torch.inf)
            new = torch.maximum(top[..., rows], s.amax(-1))
            safe = torch.where(new == -torch.inf, 0.0, new)
            p, shrink = torch.exp(s - safe[..., None]), torch.exp(top[..., rows] - safe)
            total[..., rows] = shrink * total[..., rows] + p.sum(-1)
            out[..., rows, :] = shrink[..., None] * out[..., rows, :] + p @ values
            top[..., rows] = new
    return (out / total[..., None]).to(Q.dtype), top + total.log()
