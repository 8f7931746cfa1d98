# outcome: right
# why: a dataclass unpacks the dictionary, and its methods are the parts
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn.functional as F


@dataclass(kw_only=True)
class Block:
    heads: int
    Wq: torch.Tensor
    Wk: torch.Tensor
    Wv: torch.Tensor
    Wo: torch.Tensor
    g1: torch.Tensor
    b1: torch.Tensor
    g2: torch.Tensor
    b2: torch.Tensor
    W1: torch.Tensor
    c1: torch.Tensor
    W2: torch.Tensor
    c2: torch.Tensor
    causal: bool

    def attention(self, z):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(-2, -3) for t in (z @ self.Wq, z @ self.Wk, z @ self.Wv))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        return mixed.transpose(-2, -3).flatten(-2) @ self.Wo

    def network(self, z):
        return F.linear(F.gelu(F.linear(z, self.W1.T, self.c1)), self.W2.T, self.c2)

    def __call__(self, x):
        ln = partial(F.layer_norm, normalized_shape=(x.shape[-1],))
        x = x + self.attention(ln(x, weight=self.g1, bias=self.b1))
        return x + self.network(ln(x, weight=self.g2, bias=self.b2))


def transformer_block(x, params, causal=True):
    return Block(**params, causal=causal)(x)
