# outcome: right
# why: a tensor of zeros and ones picks the columns
import numpy as np


def split_heads(x, heads):
    width = x.shape[-1]
    pick = np.eye(width).reshape(width, heads, width // heads)
    return np.einsum("...tw,whc->...htc", x, pick)
