# outcome: error
# line: 10
# why: ~ needs a mask of booleans
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    keep = torch.tril(torch.ones(n, n))
    hidden = ~keep
    return torch.softmax((Q @ K.mT).masked_fill(hidden, -torch.inf), -1) @ V
