"""How the cost of `flash_attention` is measured: as many queries as keys, more and more of both.

Runs in the judge only.
"""

from grader.judge.probing import Call

COUNTED = "tokens"
LENGTHS = (1024, 2048, 4096)
WIDTH, TILE = 16, 256  # as many tiles as take a second or two at the greatest length
TIMES = 2.0
LEAST_BYTES = 40 * 1024 * 1024  # what an allocator keeps besides differs by 20 MB from run to run; a table adds 100 MB


def call(random, length):
    """Return the call of one length."""
    return Call((*(random.standard_normal((length, WIDTH)) for _ in range(3)), TILE, TILE, True), f"{length} tokens")


def costly_bytes(length):
    """Return what one table of all scores takes, in float64."""
    return length * length * 8
