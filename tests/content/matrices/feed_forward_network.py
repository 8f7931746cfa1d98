"""The matrices that the questions about the feed-forward network ask for, and those that their wrong answers are."""

import numpy as np


def two_tokens_by_hand(a, b):
    tokens, first = np.array([[a, -1], [1, b]]), np.array([[1, -1, 0], [1, 0, 2]])
    inner, second = tokens @ first, np.array([[1, 0], [2, 1], [1, 3]])
    bent = np.maximum(0, inner)
    return bent @ second, {
        "m10-activation-optional": inner @ second,
        "m10-mixes-tokens": np.stack([bent.mean(axis=0) @ second] * 2),
        "slip-swap": np.minimum(0, inner) @ second,
    }


DEFINED = {"feed-forward-network/two-tokens-by-hand": two_tokens_by_hand}
