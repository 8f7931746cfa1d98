"""How the cost of `grouped_query_attention` is measured: one query against more and more keys, as in decoding.

Runs in the judge only. The inputs themselves grow with the keys, for the course's program as well, so only what a
program adds to them can make it grow faster.
"""

import numpy as np

from grader.judge.probing import Call

COUNTED = "keys"
LENGTHS = (2048, 4096, 8192)
HEADS, KEPT, WIDTH = 32, 2, 64  # one copy of the keys for each query head is sixteen times the keys
TIMES = 2.0
LEAST_BYTES = 24 * 1024 * 1024  # one head's worth of copies and scores more than once; one expanded tensor adds 67 MB


def call(random, length):
    """Return the call of one length."""
    q = random.standard_normal((HEADS, 1, WIDTH))
    k, v = (random.standard_normal((KEPT, length, WIDTH)) for _ in range(2))
    return Call((q, k, v), f"{length} keys")


def spots(call):
    """Return the places of the first and the last query head, and what attention gives them."""
    q, k, v = call.inputs
    places = [0, HEADS - 1]
    scores = q[places] @ np.swapaxes(k[[0, KEPT - 1]], -1, -2) / WIDTH**0.5
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return places, weights / weights.sum(axis=-1, keepdims=True) @ v[[0, KEPT - 1]]


def costly_bytes(length):
    """Return what keys copied for every query head take, in float64."""
    return HEADS * length * WIDTH * 8
