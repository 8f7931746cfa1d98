# outcome: wrong
# case: A44
# caught by: cost
# misconception: m19-stores-matrix
import torch


def online_softmax_attention(Q, K, V, block):
    return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1) @ V
