import torch


def causal_attention(Q, K, V, window=None):
    """Return one row for each token: an average of the values of this token and of those before it."""
    raise NotImplementedError("write causal_attention here")
