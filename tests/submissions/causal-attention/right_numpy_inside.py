# outcome: right
# why: NumPy is there too, and the result is a tensor
import numpy as np
import torch


def causal_attention(Q, K, V, window=None):
    q, k, v = (x.numpy() for x in (Q, K, V))
    behind = np.subtract.outer(np.arange(q.shape[-2]), np.arange(q.shape[-2]))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    scores[..., (behind < 0) | (behind >= (window or len(behind)))] = -np.inf
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return torch.from_numpy(weights / weights.sum(-1, keepdims=True) @ v)
