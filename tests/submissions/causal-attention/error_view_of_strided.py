# outcome: error
# case: A37
# misconception:
# why: the brief says that tensors may be parts of others, and view cannot join their axes
import torch


def causal_attention(Q, K, V, window=None):
    q, k, v = (each.view(-1, each.shape[-2], each.shape[-1]) for each in (Q, K, V))
    n = Q.shape[-2]
    behind = torch.arange(n)[:, None] - torch.arange(n)
    keep = (behind >= 0) & (behind < (n if window is None else window))
    s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~keep, -torch.inf)
    return (torch.softmax(s, -1) @ v).view(*Q.shape[:-1], V.shape[-1])
