"""Attention by tiles, one of them at a time: what a learner's program is measured against."""

import torch


def flash_attention(Q, K, V, bq, bk, causal=False):
    O = torch.empty((*Q.shape[:-1], V.shape[-1]), dtype=Q.dtype)
    LSE = torch.empty(Q.shape[:-1], dtype=Q.dtype)
    for top in range(0, Q.shape[-2], bq):
        queries = Q[..., top : top + bq, :]
        rows = torch.arange(top, top + queries.shape[-2])
        m = Q.new_full((*queries.shape[:-1], 1), float("-inf"))
        total, output = torch.zeros_like(m), Q.new_zeros((*queries.shape[:-1], V.shape[-1]))
        for begin in range(0, int(rows[-1]) + 1 if causal else K.shape[-2], bk):
            keys = K[..., begin : begin + bk, :]
            scores = queries @ keys.transpose(-1, -2) / Q.shape[-1] ** 0.5
            if causal and begin + bk > top:
                scores = scores.masked_fill(begin + torch.arange(keys.shape[-2]) > rows[:, None], float("-inf"))
            larger = torch.maximum(m, scores.amax(dim=-1, keepdim=True))
            weights, kept = torch.exp(scores - larger), torch.exp(m - larger)
            total = kept * total + weights.sum(dim=-1, keepdim=True)
            output, m = kept * output + weights @ V[..., begin : begin + bk, :], larger
        O[..., top : top + bq, :] = output / total
        LSE[..., top : top + bq] = (m + torch.log(total))[..., 0]
    return O, LSE
