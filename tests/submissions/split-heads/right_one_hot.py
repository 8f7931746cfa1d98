# outcome: right
# why: a product with a table of zeros and ones puts each column into its place
import numpy as np


def split_heads(x, heads):
    width = x.shape[-1]
    places = np.eye(width).reshape(width, heads, width // heads)
    return np.swapaxes(np.tensordot(x, places, axes=1), -2, -3)
