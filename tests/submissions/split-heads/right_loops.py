# outcome: right
# why: an empty array is filled number by number
import numpy as np


def split_heads(x, heads):
    *leading, tokens, width = x.shape
    per_head = width // heads
    result = np.empty((*leading, heads, tokens, per_head))
    for place in np.ndindex(*leading, tokens, width):
        *before, token, column = place
        result[(*before, column // per_head, token, column % per_head)] = x[place]
    return result
