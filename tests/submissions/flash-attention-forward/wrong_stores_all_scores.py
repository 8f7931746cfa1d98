# outcome: wrong
# case: A44
# caught by: cost
# misconception: m19-stores-matrix
import torch


def flash_attention(Q, K, V, bq, bk, causal=False):
    work = torch.promote_types(Q.dtype, torch.float32)
    scores = (Q.to(work) @ K.to(work).mT) / Q.shape[-1] ** 0.5
    if causal:
        scores = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), float("-inf"))
    return (torch.softmax(scores, dim=-1) @ V.to(work)).to(Q.dtype), torch.logsumexp(scores, dim=-1)
