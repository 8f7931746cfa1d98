"""How the cost of `online_softmax_attention` is measured: as many queries as keys, more and more of both.

Runs in the judge only.
"""

import numpy as np

from grader.judge.probing import Call

COUNTED = "tokens"
LENGTHS = (1024, 2048, 4096)
WIDTH, BLOCK = 16, 128  # large enough for a program that takes query after query to end in time
TIMES = 2.0
LEAST_BYTES = 40 * 1024 * 1024  # what an allocator keeps besides differs by 20 MB from run to run; a table adds 100 MB


def call(random, length):
    """Return the call of one length."""
    return Call((*(random.standard_normal((length, WIDTH)) for _ in range(3)), BLOCK), f"{length} tokens")


def spots(call):
    """Return the places of three queries, and what attention gives them."""
    Q, K, V, _ = call.inputs
    places = [0, len(Q) // 2, len(Q) - 1]
    scores = Q[places] @ K.T / WIDTH**0.5
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return places, weights / weights.sum(axis=-1, keepdims=True) @ V


def costly_bytes(length):
    """Return what one table of all scores takes, in float64."""
    return length * length * 8
