# outcome: right
# why: number by number into a list, which is reshaped in the end
import numpy as np


def merge_heads(y):
    *leading, heads, tokens, width = y.shape
    numbers = [
        y[(*place, h, t, c)]
        for place in np.ndindex(*leading)
        for t in range(tokens)
        for h in range(heads)
        for c in range(width)
    ]
    return np.array(numbers).reshape(*leading, tokens, heads * width)
