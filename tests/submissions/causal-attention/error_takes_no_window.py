# outcome: error
# remark: compare the parameters of your function
import torch


def causal_attention(Q, K, V):
    n = Q.shape[-2]
    hidden = torch.ones(n, n, dtype=torch.bool).triu(1)
    return torch.softmax((Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(hidden, -torch.inf), -1) @ V
