import torch


def online_softmax_attention(Q, K, V, block):
    """Return exact attention, computed block by block over the keys."""
    raise NotImplementedError("write online_softmax_attention here")
