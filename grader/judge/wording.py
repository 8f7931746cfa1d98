"""Numbers, arrays and shapes in words for the learner, and texts made fit to be stored. Knows no check."""

import re
from collections.abc import Iterable

import numpy as np

from grader.judge.arrays import Numbers
from grader.untrusted import TEXT_LIMIT, Matrix

SHOWN_NUMBERS = 400  # of an example's output; more would hide the difference instead of showing it


def in_words(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


def short(number: float) -> str:
    """Return a number with three significant digits, as a reader would write it."""
    return f"{number:.3g}"


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
    """Return a two-dimensional array for a message: four decimals, and a gap where a number is not finite."""
    return tuple(tuple(round(float(cell), 4) if np.isfinite(cell) else None for cell in line) for line in array)


def storable(text: str, limit: int = TEXT_LIMIT) -> str:
    """Return a text without the characters that JSON or PostgreSQL refuse, cut at a limit."""
    clean = re.sub("[\0\ud800-\udfff]", "�", text)
    return clean if len(clean) <= limit else clean[: limit - 2] + " …"
