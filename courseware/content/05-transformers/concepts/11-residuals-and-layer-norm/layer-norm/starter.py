import torch


def layer_norm(x, g, b, eps=1e-05):
    """Return each token's numbers with mean 0 and variance 1, times the gain g, plus the shift b."""
    raise NotImplementedError("write layer_norm here")
