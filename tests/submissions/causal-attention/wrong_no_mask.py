# outcome: wrong
# caught by: future, first, prefix
# misconception: m07-only-generation
import torch


def causal_attention(Q, K, V, window=None):
    return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1) @ V
