import torch


def flash_attention(Q, K, V, bq, bk, causal=False):
    """Return exact attention, computed by tiles, and the logarithm of each query's sum of exponentials."""
    raise NotImplementedError("write flash_attention here")
