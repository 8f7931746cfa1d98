"""How the cost of `grouped_query_attention` is measured: one query against more and more keys, as in decoding.

Runs in the judge only. The inputs themselves grow with the keys, for the course's program as well, so only what a
program adds to them can make it grow faster.
"""

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


def costly_bytes(length):
    """Return what keys copied for every query head take, in float64."""
    return HEADS * length * WIDTH * 8
