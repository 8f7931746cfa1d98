# outcome: right
import math

import torch


class Block:
    def __init__(self, params):
        self.__dict__.update(params)

    def norm(self, z, g, b):
        z = z - z.mean(-1, keepdim=True)
        return torch.addcmul(b, z * torch.rsqrt(z.square().mean(-1, keepdim=True) + 1e-5), g)

    def attend(self, z, causal):
        into = [
            torch.einsum("...td,dhk->...thk", z, W.unflatten(1, (self.heads, -1))) for W in (self.Wq, self.Wk, self.Wv)
        ]
        scores = torch.einsum("...ihk,...jhk->...hij", into[0], into[1]) / math.sqrt(into[0].shape[-1])
        if causal:
            i = torch.arange(z.shape[-2])
            scores = torch.where(i[:, None] >= i, scores, -torch.inf)
        weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
        return torch.einsum("...hij,...jhk->...ihk", weights, into[2]).flatten(-2) @ self.Wo

    def feed(self, z):
        a = z @ self.W1 + self.c1
        return a * 0.5 * (1 + torch.erf(a / math.sqrt(2))) @ self.W2 + self.c2


def transformer_block(x, params, causal=True):
    block = Block(params)
    y = x + block.attend(block.norm(x, block.g1, block.b1), causal)
    return y + block.feed(block.norm(y, block.g2, block.b2))
