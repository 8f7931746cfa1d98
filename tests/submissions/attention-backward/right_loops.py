# outcome: right
# why: one query at a time, as a list of three
import torch


def one(Q, K, V, dO, causal):
    d = Q.shape[-1] ** 0.5
    dQ, dK, dV = torch.zeros_like(Q), torch.zeros_like(K), torch.zeros_like(V)
    for i in range(len(Q)):
        n = i + 1 if causal else len(K)
        p = torch.softmax(K[:n] @ Q[i] / d, 0)
        g = V[:n] @ dO[i]
        ds = p * (g - torch.dot(p, g)) / d
        dQ[i] = ds @ K[:n]
        dK[:n] += torch.outer(ds, Q[i])
        dV[:n] += torch.outer(p, dO[i])
    return dQ, dK, dV


def attention_backward(Q, K, V, dO, causal=False):
    flat = [each.reshape(-1, *each.shape[-2:]) for each in (Q, K, V, dO)]
    parts = [one(*each, causal) for each in zip(*flat)]
    return [torch.stack(each).reshape(like.shape) for each, like in zip(zip(*parts), (Q, K, V))]
