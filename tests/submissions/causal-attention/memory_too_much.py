# outcome: memory
import torch


def causal_attention(Q, K, V, window=None):
    return torch.ones(2**31, dtype=Q.dtype)[: Q.shape[-2], None] * V
