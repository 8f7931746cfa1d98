import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, heads):
    """Return one row for each token: what all heads have found, mixed by the output map."""
    raise NotImplementedError("write multi_head_attention here")
