# outcome: right
# why: asks for compilation in three ways; no compiler is here, so the functions run as they are
import torch
from torch import nn


@torch.compile(fullgraph=True, dynamic=True)
def scores(Q, K):
    return Q @ K.mT / Q.shape[-1] ** 0.5


@torch.compile
def hidden(n, window):
    distance = torch.arange(n)[:, None] - torch.arange(n)
    return (distance < 0) | (distance >= (window or n))


class Attention(nn.Module):
    def forward(self, Q, K, V, window):
        return scores(Q, K).masked_fill(hidden(Q.shape[-2], window), -torch.inf).softmax(-1) @ V


compiled = torch.compile(Attention(), mode="reduce-overhead")
compiled.compile()


def causal_attention(Q, K, V, window=None):
    return compiled(Q, K, V, window)
