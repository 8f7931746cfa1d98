"""Matrices as a page shows them: tables whose rows and columns have names, with numbers, fields or judgements in them.

Knows nothing of what is right. Pure.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from courseware.concepts.markup import render_inline
from courseware.drawing.matrices import Matrix, shape
from quizzes.matrix_tasks import Cell, at
from quizzes.numbers import spell

_SYMBOL = re.compile(r"[A-Za-z](?:_[A-Za-z0-9])?")  # a name as the formulas write it, such as X or W_Q
_EXACT_PLACES = 4  # a number with more decimals is not meant to be read exactly


@dataclass(frozen=True)
class Entry:
    """What stands in one cell: a number, or a field that holds what was typed, perhaps with a judgement."""

    text: str
    spoken: str = ""  # what is read aloud in place of the text, where that is a sign
    name: str = ""  # of the field, if the cell is to be filled in
    label: str = ""  # of the field
    shape: str = ""
    word: str = ""  # beside the shape


@dataclass(frozen=True)
class Row:
    head: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Table:
    """A matrix, row by row."""

    caption: str  # HTML, or a plain text that the template escapes
    label: str  # the same in plain words
    corner: str  # the word for a row
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    has_signs: bool = (
        False  # whether what is typed may need more than digits: the decimal keys of a phone have no minus
    )


def table_of(size: tuple[int, int], words: tuple[str, str], caption: str, entry_of: Callable[[Cell], Entry]) -> Table:
    """Return a table of so many rows and columns; `words` name one row and one column."""
    rows, columns = size
    is_symbol = _SYMBOL.fullmatch(caption) is not None
    return Table(
        caption=render_inline(f"${caption}$") if is_symbol else caption,
        label=caption,
        corner=words[0],
        heads=tuple(f"{words[1]} {column}" for column in range(1, columns + 1)),
        rows=tuple(
            Row(f"{words[0]} {row}", tuple(entry_of((row, column)) for column in range(1, columns + 1)))
            for row in range(1, rows + 1)
        ),
    )


def numbers_table(values: Matrix, words: tuple[str, str], caption: str, decimals: int) -> Table:
    """Return a table of numbers: exact where a few decimals can say them, else rounded."""
    places = places_of(values, decimals)
    return table_of(shape(values), words, caption, lambda cell: number(at(values, cell), places))


def places_of(values: Matrix, decimals: int) -> int:
    """Return with how many decimals the entries are shown, the same for all."""
    finite = [value for row in values for value in row if math.isfinite(value)]
    exact = (
        places for places in range(_EXACT_PLACES) if all(abs(round(value, places) - value) < 1e-9 for value in finite)
    )
    return next(exact, decimals)


def number(value: float, places: int) -> Entry:
    """Return a number as an entry; minus infinity is a sign and said in words."""
    if value == -math.inf:
        return Entry("−∞", spoken="minus infinity")
    return Entry(spell(value, places, fixed=places > 0))
