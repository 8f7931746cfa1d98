# outcome: right
# why: one key at a time, as memory-saving programs do it
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    place = torch.arange(n)[:, None]
    top = torch.full((*Q.shape[:-1], 1), -torch.inf, dtype=Q.dtype)
    total, mixed = torch.zeros_like(top), torch.zeros_like(V)
    for j in reversed(range(n)):
        hidden = (place < j) | (place - j >= (window or n))
        score = (Q * K[..., j : j + 1, :]).sum(-1, keepdim=True) / Q.shape[-1] ** 0.5
        score = score.masked_fill(hidden, -torch.inf)
        raised = torch.maximum(top, score)
        ground = raised.masked_fill(raised.isneginf(), 0.0)
        kept, added = torch.exp(top - ground), torch.exp(score - ground)
        total = total * kept + added
        mixed = mixed * kept + added * V[..., j : j + 1, :]
        top = raised
    return mixed / total
