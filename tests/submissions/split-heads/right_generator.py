# outcome: right
# why: slices of columns from a generator, concatenated along a new axis
import numpy as np


def slices(x, heads):
    step = x.shape[-1] // heads
    yield from (x[..., np.newaxis, :, start : start + step] for start in range(0, x.shape[-1], step))


def split_heads(x, heads):
    return np.concatenate(tuple(slices(x, heads)), axis=-3)
