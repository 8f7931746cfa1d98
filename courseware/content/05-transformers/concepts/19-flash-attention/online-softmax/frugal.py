"""Attention that holds the scores of one block at a time: what a learner's program is measured against."""

import torch


def online_softmax_attention(Q, K, V, block):
    m = Q.new_full((*Q.shape[:-1], 1), float("-inf"))
    total, output = torch.zeros_like(m), Q.new_zeros((*Q.shape[:-1], V.shape[-1]))
    for begin in range(0, K.shape[-2], block):
        scores = Q @ K[..., begin : begin + block, :].transpose(-1, -2) / Q.shape[-1] ** 0.5
        larger = torch.maximum(m, scores.amax(dim=-1, keepdim=True))
        weights, kept = torch.exp(scores - larger), torch.exp(m - larger)
        total = kept * total + weights.sum(dim=-1, keepdim=True)
        output, m = kept * output + weights @ V[..., begin : begin + block, :], larger
    return output / total
