# outcome: right
# why: sums over named axes, and a named tuple as the result
from typing import NamedTuple

import torch


class Gradients(NamedTuple):
    dQ: torch.Tensor
    dK: torch.Tensor
    dV: torch.Tensor


def attention_backward(Q, K, V, dO, causal=False):
    s = torch.einsum("...id,...jd->...ij", Q, K) * Q.shape[-1] ** -0.5
    if causal:
        s = s + torch.full_like(s, -torch.inf).triu(1)
    P = (s - s.logsumexp(-1, keepdim=True)).exp()
    dP = torch.einsum("...iv,...jv->...ij", dO, V)
    D = torch.einsum("...iv,...iv->...i", dO, torch.einsum("...ij,...jv->...iv", P, V))
    dS = P * (dP - D[..., None]) * Q.shape[-1] ** -0.5
    return Gradients(
        torch.einsum("...ij,...jd->...id", dS, K),
        torch.einsum("...ij,...id->...jd", dS, Q),
        torch.einsum("...ij,...iv->...jv", P, dO),
    )
