# outcome: wrong
# caught by: causal, future
# misconception: m19-diagonal-tile
import torch


def flash_attention(Q, K, V, bq, bk, causal=False):
    work = torch.promote_types(Q.dtype, torch.float32)
    O = Q.new_empty((*Q.shape[:-1], V.shape[-1]))
    LSE = Q.new_empty(Q.shape[:-1], dtype=work)
    for top in range(0, Q.shape[-2], bq):
        queries = Q[..., top : top + bq, :].to(work)
        rows = torch.arange(top, top + queries.shape[-2])[:, None]
        m = queries.new_full((*queries.shape[:-1], 1), float("-inf"))
        total, output = torch.zeros_like(m), queries.new_zeros((*queries.shape[:-1], V.shape[-1]))
        for begin in range(0, K.shape[-2], bk):
            if causal and begin > rows[-1]:
                break
            scores = queries @ K[..., begin : begin + bk, :].to(work).mT / Q.shape[-1] ** 0.5
            if causal and False:
                later = begin + torch.arange(scores.shape[-1]) > rows
                scores = scores.masked_fill(later, float("-inf"))
            larger = torch.maximum(m, scores.amax(dim=-1, keepdim=True))
            weights, kept = torch.exp(scores - larger), torch.exp(m - larger)
            total = total * kept + weights.sum(dim=-1, keepdim=True)
            output = output * kept + weights @ V[..., begin : begin + bk, :].to(work)
            m = larger
        O[..., top : top + bq, :] = output / total
        LSE[..., top : top + bq] = (m + total.log()).squeeze(-1)
    return O, LSE
