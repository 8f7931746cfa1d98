# outcome: wrong
# caught by: causal
# misconception: m07-mask-in-backward
import torch


def attention_backward(Q, K, V, dO, causal=False):
    S = Q @ K.mT / Q.shape[-1] ** 0.5
    hidden = torch.ones(S.shape[-2:], dtype=torch.bool).triu(1) & torch.tensor(causal)
    P = S.masked_fill(hidden, float("-inf")).softmax(-1)
    again = S.softmax(-1)
    dP = dO @ V.mT
    dS = again * (dP - (again * dP).sum(-1, keepdim=True)) / Q.shape[-1] ** 0.5
    return dS @ K, dS.mT @ Q, P.mT @ dO
