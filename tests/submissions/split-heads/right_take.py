# outcome: right
# why: a table of column numbers, one row for each head, chooses the columns
import numpy as np


def split_heads(x, heads):
    columns = np.arange(x.shape[-1]).reshape(heads, -1)
    return np.moveaxis(np.take(x, columns, axis=-1), -2, -3)
