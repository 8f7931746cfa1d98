# outcome: right
# why: the dictionary is read through an attribute view, and attention meets key after key
from types import SimpleNamespace

import torch
from torch.special import erfc


def layer(z, g, b):
    v, m = torch.var_mean(z, dim=-1, correction=0, keepdim=True)
    return torch.addcmul(b, (z - m) / (v + 1e-5) ** 0.5, g)


def attend(q, k, v, causal):
    top = torch.full_like(q[..., :1], -1e300)
    total, mean = torch.zeros_like(top), torch.zeros_like(v)
    for j in range(k.shape[-2]):
        s = (q * k[..., j, None, :]).sum(-1, keepdim=True) * q.shape[-1] ** -0.5
        if causal:
            s = torch.where(torch.arange(q.shape[-2])[:, None] >= j, s, -torch.inf)
        new = torch.maximum(top, s)
        total = total * (top - new).exp() + (s - new).exp()
        mean = mean * (top - new).exp() + (s - new).exp() * v[..., j, None, :]
        top = new
    return mean / total


def transformer_block(x, params, causal=True):
    p = SimpleNamespace(**params)
    z = layer(x, p.g1, p.b1)
    q, k, v = ((z @ W).view(*x.shape[:-1], p.heads, -1).movedim(-2, 0) for W in (p.Wq, p.Wk, p.Wv))
    y = x + attend(q, k, v, causal).movedim(0, -2).reshape(x.shape) @ p.Wo
    a = layer(y, p.g2, p.b2) @ p.W1 + p.c1
    return torch.add(y, (a * erfc(-a / 2**0.5) / 2) @ p.W2 + p.c2)
