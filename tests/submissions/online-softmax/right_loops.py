# outcome: right
# why: a few queries at a time, in a loop around that over the blocks; leading axes by recursion
import torch


def some_queries(Q, K, V, block):
    top, total, mean = torch.tensor(float("-inf")).to(Q), 0.0, 0.0
    for first in range(0, K.shape[0], block):
        s = Q @ K[first : first + block].T / Q.shape[1] ** 0.5
        new = torch.maximum(top, s.max(dim=1, keepdim=True).values)
        shrink, powers = torch.exp(top - new), torch.exp(s - new)
        total = shrink * total + powers.sum(dim=1, keepdim=True)
        mean = shrink * mean + powers @ V[first : first + block]
        top = new
    return mean / total


def online_softmax_attention(Q, K, V, block):
    if Q.ndim > 2:
        return torch.stack([online_softmax_attention(q, k, v, block) for q, k, v in zip(Q, K, V)])
    return torch.cat([some_queries(queries, K, V, block) for queries in Q.split(300)])
