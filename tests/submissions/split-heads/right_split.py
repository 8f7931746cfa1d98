# outcome: right
# why: np.split along the columns, then an axis for the heads; positional only and with type hints
import numpy as np


def split_heads(x: np.ndarray, heads: int, /) -> np.ndarray:
    return np.array(np.split(np.asarray(x), heads, axis=-1)).transpose(
        *range(1, x.ndim - 1), 0, x.ndim - 1, x.ndim
    )
