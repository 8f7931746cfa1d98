# outcome: right
# why: each query meets only the keys that it may use
import torch


def one(Q, K, V, window):
    rows = []
    for i in range(len(Q)):
        start = 0 if window is None else max(0, i - window + 1)
        weights = torch.softmax(K[start : i + 1] @ Q[i] / Q.shape[1] ** 0.5, dim=0)
        rows.append(weights @ V[start : i + 1])
    return torch.stack(rows)


def causal_attention(Q, K, V, window=None):
    flat = [x.reshape(-1, *x.shape[-2:]) for x in (Q, K, V)]
    result = torch.stack([one(q, k, v, window) for q, k, v in zip(*flat)])
    return result.reshape(*V.shape)
