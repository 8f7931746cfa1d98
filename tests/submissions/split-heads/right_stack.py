# outcome: right
import numpy as np


def split_heads(x, heads):
    d = x.shape[-1] // heads
    return np.stack([x[..., h * d : h * d + d] for h in range(heads)], axis=-3)
