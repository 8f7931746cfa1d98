# outcome: right
# why: a sum of products with tables of zeros and ones, one for each head
import numpy as np


def merge_heads(y):
    heads, _, width = y.shape[-3:]
    place = lambda h: np.eye(width, heads * width, h * width)  # noqa: E731
    return sum(y[..., h, :, :] @ place(h) for h in range(heads))
