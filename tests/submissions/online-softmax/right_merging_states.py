# outcome: right
# why: states of single blocks are merged by a function of their own, in any order
from functools import reduce

import torch


def state(Q, keys, values):
    scores = torch.einsum("...id,...jd->...ij", Q, keys) * Q.shape[-1] ** -0.5
    logarithm = scores.logsumexp(dim=-1, keepdim=True)
    return torch.exp(scores - logarithm) @ values, logarithm


def merged(one, other):
    both = torch.logaddexp(one[1], other[1])
    return torch.exp(one[1] - both) * one[0] + torch.exp(other[1] - both) * other[0], both


def online_softmax_attention(Q, K, V, block):
    states = (state(Q, k, v) for k, v in zip(K.split(block, -2), V.split(block, -2)))
    return reduce(merged, states)[0]
