import numpy as np


def masked_attention(Q, K, V, keep):
    """Return one row for each query: an average of the values of the keys that it may use."""
    raise NotImplementedError("write masked_attention here")
