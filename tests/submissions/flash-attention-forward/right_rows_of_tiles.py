# outcome: right
# why: a helper for each block of queries, with PyTorch's logsumexp and a merge of finished parts
import torch


def part(queries, keys, values, hidden):
    scores = torch.einsum("...id,...jd->...ij", queries, keys) * queries.shape[-1] ** -0.5
    scores = scores + torch.zeros_like(scores).masked_fill(hidden, -torch.inf)
    logarithm = torch.logsumexp(scores, dim=-1)
    weights = torch.exp(scores - logarithm.nan_to_num(neginf=0.0)[..., None])
    return weights @ values, logarithm


def flash_attention(Q, K, V, bq, bk, causal=False):
    work = torch.float64 if Q.dtype == torch.float64 else torch.float32
    outputs, logarithms = [], []
    for top, queries in zip(range(0, Q.shape[-2], bq), Q.to(work).split(bq, dim=-2)):
        i = torch.arange(top, top + queries.shape[-2])[:, None]
        output, logarithm = 0.0, torch.full(queries.shape[:-1], -torch.inf, dtype=work)
        for begin, keys, values in zip(range(0, K.shape[-2], bk), K.to(work).split(bk, -2), V.to(work).split(bk, -2)):
            j = torch.arange(begin, begin + keys.shape[-2])
            if causal and begin > int(i[-1]):
                break
            new, new_logarithm = part(
                queries, keys, values, (j > i) if causal else torch.zeros_like(j, dtype=torch.bool)
            )
            both = torch.logaddexp(logarithm, new_logarithm)
            output = torch.exp(logarithm - both)[..., None] * output + torch.exp(new_logarithm - both)[..., None] * new
            logarithm = both
        outputs.append(output)
        logarithms.append(logarithm)
    return torch.cat(outputs, dim=-2).to(Q.dtype), torch.cat(logarithms, dim=-1)
