# outcome: right
# why: a buffer with an axis for the heads is written through a transposed view
import numpy as np


def merge_heads(y):
    *leading, heads, tokens, width = y.shape
    buffer = np.zeros((*leading, tokens, heads, width))
    buffer.swapaxes(-2, -3)[...] = y
    buffer.shape = (*leading, tokens, heads * width)
    return buffer
