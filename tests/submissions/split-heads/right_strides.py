# outcome: right
# why: no number moves; the result is a view with other strides
import numpy as np
from numpy.lib.stride_tricks import as_strided


def split_heads(x, heads):
    *leading, tokens, width = x.shape
    *before, row, column = x.strides
    shape = (*leading, heads, tokens, width // heads)
    return as_strided(x, shape, (*before, column * (width // heads), row, column), writeable=False)
