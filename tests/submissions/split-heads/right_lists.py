# outcome: right
# why: nested lists of Python's own, by recursion over the leading axes
import numpy as np


def listed(x, heads):
    if isinstance(x[0][0], list):
        return [listed(each, heads) for each in x]
    step = len(x[0]) // heads
    return [[row[h * step : (h + 1) * step] for row in x] for h in range(heads)]


def split_heads(x, heads):
    return np.array(listed(x.tolist(), heads))
