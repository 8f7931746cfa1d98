# outcome: right
# why: values get a column of ones, so the sum of exponentials is one more column of the output
import torch
import torch.nn.functional as F


def flash_attention(Q, K, V, bq, bk, causal=False):
    work = torch.float64 if Q.dtype == torch.float64 else torch.float32
    V1 = F.pad(V, (0, 1), value=1.0)
    results = [
        rows(q.to(work), K, V1, i, bk, causal, work) for q, i in zip(Q.split(bq, dim=-2), range(0, Q.shape[-2], bq))
    ]
    both = torch.cat(results, dim=-2)
    return both[..., :-1].to(Q.dtype), both[..., -1]


def rows(q, K, V1, i, bk, causal, work):
    m = torch.full((*q.shape[:-1], 1), -1e30, dtype=work)
    acc = torch.zeros(*q.shape[:-1], V1.shape[-1], dtype=work)
    for j in range(0, K.shape[-2], bk):
        s = torch.matmul(q, K[..., j : j + bk, :].to(work).mT) / q.shape[-1] ** 0.5
        if causal:
            later = torch.arange(j, j + s.shape[-1]) > torch.arange(i, i + s.shape[-2]).unsqueeze(1)
            s.masked_fill_(later, -torch.inf)
        old, m = m, torch.maximum(m, s.amax(dim=-1, keepdim=True))
        acc = acc * (old - m).exp() + torch.exp(s - m) @ V1[..., j : j + bk, :].to(work)
    return torch.cat([acc[..., :-1] / acc[..., -1:], m + acc[..., -1:].log()], dim=-1)
