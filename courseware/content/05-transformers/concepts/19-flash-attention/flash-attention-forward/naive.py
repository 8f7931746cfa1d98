"""Plain attention in the dtype of its inputs: the error of a learner's program is measured against that of this one."""

import torch


def flash_attention(Q, K, V, bq, bk, causal=False):
    scores = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5
    if causal:
        scores = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), float("-inf"))
    return torch.softmax(scores, dim=-1) @ V, torch.logsumexp(scores.float(), dim=-1)
