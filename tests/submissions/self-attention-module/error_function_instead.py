# outcome: error
# why: a function is no layer
import torch


def SelfAttention(width, inner, dropout=0.0):
    return torch.nn.Identity()
