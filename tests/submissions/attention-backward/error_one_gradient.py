# outcome: error
import torch


def attention_backward(Q, K, V, dO, causal=False):
    return torch.zeros_like(Q)
