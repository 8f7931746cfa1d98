"""On which calls `flash_attention` is tried in float16 and bfloat16. Runs in the judge only."""

from grader.judge.probing import Call

TOKENS, WIDTH, TILE = 256, 64, 64  # long enough that sums in half precision err by more than the plain way


def calls(random):
    """Return the calls, in float64; they are rounded to each format."""
    given = [random.standard_normal((TOKENS, WIDTH)) for _ in range(3)]
    words = f"{TOKENS} tokens, width {WIDTH}, tiles of {TILE} × {TILE}"
    return [Call((*given, TILE, TILE), words), Call((*given, TILE, TILE, True), f"{words}, causal")]
