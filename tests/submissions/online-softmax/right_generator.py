# outcome: right
# why: blocks from a generator; the fold over them is itertools' accumulate
from itertools import accumulate

import torch


def blocks(Q, K, V, size):
    for first in range(0, K.shape[-2], size):
        s = Q @ K[..., first : first + size, :].mT / Q.shape[-1] ** 0.5
        m = s.amax(-1, keepdim=True)
        e = torch.exp(s - m)
        yield m, e.sum(-1, keepdim=True), e @ V[..., first : first + size, :]


def together(one, two):
    m = torch.maximum(one[0], two[0])
    a, b = torch.exp(one[0] - m), torch.exp(two[0] - m)
    return m, a * one[1] + b * two[1], a * one[2] + b * two[2]


def online_softmax_attention(Q, K, V, block):
    for _, total, mean in accumulate(blocks(Q, K, V, block), together):
        result = mean / total
    return result
