"""The matrix that the question about mean pooling asks for, and those that its wrong answers are."""

import numpy as np


def pooled_heads(a, b):
    first, second = np.array([[a, 2], [0, 4]], dtype=float), np.array([[3, b], [2, -2]], dtype=float)
    return np.mean([first, second], axis=0), {
        "slip-partial": first + second,
        "slip-scope": first,
        "slip-transpose": np.mean([first, second.T], axis=0),
    }


DEFINED = {"grouped-query-attention/pooled-heads": pooled_heads}
