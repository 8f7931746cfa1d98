# outcome: wrong
# caught by: queries, keys, same-keys
# misconception: m03-softmax-gradient-diagonal
import torch


def attention_backward(Q, K, V, dO, causal=False):
    S = Q @ K.mT / Q.shape[-1] ** 0.5
    if causal:
        S = S + torch.full(S.shape[-2:], float("-inf"), dtype=S.dtype).triu(1)
    P = S.softmax(-1)
    dS = P * (1 - P) * (dO @ V.mT) / Q.shape[-1] ** 0.5
    return dS @ K, dS.mT @ Q, P.mT @ dO
