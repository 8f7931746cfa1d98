# outcome: right
# why: PyTorch's vector-Jacobian product of a plain forward pass
import torch
from torch.autograd.functional import vjp


def forward(Q, K, V, *, causal):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(diagonal=1), float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


def attention_backward(Q, K, V, dO, causal=False):
    _, gradients = vjp(lambda *inputs: forward(*inputs, causal=causal), (Q, K, V), dO)
    return gradients
