"""Numbers, arrays and shapes in words for the learner, and texts made fit to be stored. Knows no check."""

import re
import signal
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from grader.judge.arrays import Numbers
from grader.sandbox.replies import Captured
from grader.untrusted import TEXT_LIMIT, Matrix

SHOWN_NUMBERS = 400  # of an example's output; more would hide the difference instead of showing it

# Of a stack that a program prints: the frames of what called it, with the lines of ours that they quote.
_OUR_FRAMES = re.compile(r'  File "/sandbox/[^\n]*\n(?:    [^\n]*\n)*')
# A warning that names a line of ours: what it says is for the learner, where it comes from is not.
_OUR_WARNINGS = re.compile(r"(?:^|(?<=\n))[^\s:]*/sandbox/[^\s:]+:\d+: (\w+: [^\n]*\n)(?:  [^\n]*\n)?")
# Where the libraries lie on the judge's machine says nothing to a learner; what lies below says which module it is.
_PLACES = re.compile(r"(?:/[^\s/:\"'()<>]+)*/(?:site-packages|dist-packages|python3\.\d+|sandbox)/")


def in_words(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


def short(number: float) -> str:
    """Return a number with three significant digits, as a reader would write it."""
    return f"{number:.3g}"


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them: "Q", "Q and K", "Q, K and V"."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def coarse_in_words(dtype: np.dtype[Any]) -> str:
    """Return what a dtype that keeps too little loses, to stand behind a difference; "" for any other."""
    if dtype.kind in "iub":
        return f"; they are of type {dtype.name}, which has no fractions"
    return f"; they are of type {dtype.name}, which keeps three digits" if dtype.itemsize < 4 else ""


def row(numbers: Iterable[float]) -> str:
    """Return a few numbers with two decimals, at most eight of them."""
    values = list(numbers)
    shown = "  ".join(f"{value:.2f}" for value in values[:8])
    return shown + ("  …" if len(values) > 8 else "")


def as_text(array: Numbers) -> str:
    """Return an array as nested lists with four decimals."""
    with np.printoptions(precision=4, suppress=True, floatmode="fixed", threshold=SHOWN_NUMBERS, linewidth=100):
        text = np.array2string(array, separator=", ")
    return storable(text)


def as_matrix(array: Numbers) -> Matrix:
    """Return an array for a message: four decimals, and a gap where a number is not finite.

    More than two axes become one row for each entry of all but the last, fewer a single row.
    """
    rows = array.reshape(-1, array.shape[-1]) if array.ndim else array.reshape(1, 1)
    return tuple(tuple(round(float(cell), 4) if np.isfinite(cell) else None for cell in line) for line in rows)


def mebibytes(size: int) -> int:
    return size // (1024 * 1024)


def signal_name(number: int) -> str:
    """Return a signal as its name and what it means: "SIGSEGV, segmentation fault"."""
    try:
        name = signal.Signals(number).name
    except ValueError:  # one of the real-time signals, most of which have none
        return f"signal {number}"
    meaning = (signal.strsignal(number) or "").lower()
    return f"{name}, {meaning}" if meaning else name


def without_our_places(text: str) -> str:
    """Return what a program said without the paths and lines of the judge's machine."""
    return _PLACES.sub("", _OUR_WARNINGS.sub(r"\1", _OUR_FRAMES.sub("", text)))


def printed_text(captured: Captured, limit: int) -> tuple[str, bool]:
    """Return what was printed and whether it was cut; a long one keeps its head and its tail."""
    kept = captured.head + captured.tail
    if captured.all_bytes <= limit:
        return storable(_decoded(kept), limit), False
    head, tail = kept[: limit * 3 // 4], kept[-(limit // 5) :]
    left_out = captured.all_bytes - len(head) - len(tail)
    text = f"{_decoded(head)}\n\n[… {left_out:,} bytes left out …]\n\n{_decoded(tail)}"
    return storable(text, limit), True


def _decoded(printed: bytes) -> str:
    return without_our_places(printed.decode("utf-8", errors="replace"))


def storable(text: str, limit: int = TEXT_LIMIT) -> str:
    """Return a text without the characters that JSON or PostgreSQL refuse, cut at a limit."""
    clean = re.sub("[\0\ud800-\udfff]", "�", text)
    return clean if len(clean) <= limit else clean[: limit - 2] + " …"
