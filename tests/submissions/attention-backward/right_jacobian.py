# outcome: right
# why: the whole matrix of slopes of the softmax, diag(p) - ppᵀ, for each query
import torch


def attention_backward(Q, K, V, dO, causal=False):
    n, m, d = Q.shape[-2], K.shape[-2], Q.shape[-1]
    S = Q @ K.mT / d**0.5
    if causal:
        S = torch.where(torch.arange(m) <= torch.arange(n)[:, None], S, -torch.inf)
    P = S.softmax(-1)
    J = torch.diag_embed(P) - P.unsqueeze(-1) * P.unsqueeze(-2)
    dS = torch.matmul(J, (dO @ V.mT).unsqueeze(-1)).squeeze(-1)
    return dS @ K / d**0.5, dS.mT @ Q / d**0.5, P.mT @ dO
