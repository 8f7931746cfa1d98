# outcome: right
import math

import torch


def attention_backward(Q, K, V, dO, causal=False):
    scale = 1 / math.sqrt(Q.shape[-1])
    S = Q @ K.mT * scale
    if causal:
        n = S.shape[-1]
        S = S.masked_fill(torch.ones(n, n, dtype=torch.bool).triu(1), float("-inf"))
    P = torch.softmax(S, dim=-1)
    dV = P.mT @ dO
    dP = dO @ V.mT
    dS = P * (dP - (dP * P).sum(-1, keepdim=True)) * scale
    return dS @ K, dS.mT @ Q, dV
