# outcome: wrong
# caught by: shape
import numpy as np


def split_heads(x, heads):
    return list(np.split(x, heads, axis=-1))
