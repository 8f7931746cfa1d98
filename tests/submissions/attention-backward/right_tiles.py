# outcome: right
# why: key after key, with the weights made anew from the logarithm of each query's sum
import math

import torch


def attention_backward(Q, K, V, dO, causal=False):
    scale = 1 / math.sqrt(Q.size(-1))
    dQ, dK, dV = torch.zeros_like(Q), torch.zeros_like(K), torch.zeros_like(V)
    places = torch.arange(Q.size(-2))
    scores = lambda j: (Q @ K[..., j, :, None])[..., 0].mul(scale).masked_fill(causal & (places < j), -math.inf)  # noqa: E731
    lse = torch.full(Q.shape[:-1], -math.inf, dtype=Q.dtype)
    for j in range(K.size(-2)):
        lse = torch.logaddexp(lse, scores(j))
    O = sum(torch.exp(scores(j) - lse)[..., None] * V[..., j, None, :] for j in range(K.size(-2)))
    D = (O * dO).sum(-1)
    for j in range(K.size(-2)):
        p = torch.exp(scores(j) - lse)
        ds = p * ((dO * V[..., j, None, :]).sum(-1) - D) * scale
        dV[..., j, :] += (p[..., None] * dO).sum(-2)
        dQ += ds[..., None] * K[..., j, None, :]
        dK[..., j, :] += (ds[..., None] * Q).sum(-2)
    return dQ, dK, dV
