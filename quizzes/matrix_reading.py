"""A learner's matrix: what its cells are read as, which of them are right, and which slips give the wrong ones.

Pure.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from quizzes.matrix_tasks import Cell, Drawn, MatrixTask, Slip, at
from quizzes.numbers import read_number
from quizzes.questions import Unreadable

_BLOCKED = re.compile(r"[-\u2212\u2013\ufe63\uff0d]\s*(?:inf|infinity|\u221e)", re.IGNORECASE)  # with any minus sign


@dataclass(frozen=True)
class Explained:
    """The wrong cells that one slip gives."""

    slip: Slip
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Reading:
    """Every blank cell of a learner's matrix, judged."""

    right: tuple[Cell, ...]
    open: tuple[Cell, ...]  # left empty
    by_slips: tuple[Explained, ...]  # the slip that says most about the matrix first
    unexplained: tuple[Cell, ...]  # wrong, and no slip gives them

    @property
    def count(self) -> int:
        explained = sum(len(each.cells) for each in self.by_slips)
        return len(self.right) + len(self.open) + explained + len(self.unexplained)

    @property
    def fraction(self) -> Fraction:
        return Fraction(len(self.right), self.count)


def read_cell(typed: str) -> float | Unreadable | None:
    """Return the number that a cell holds, None if it is empty, or why it cannot be read."""
    if _BLOCKED.fullmatch(typed.strip()):
        return -math.inf
    number = read_number(typed)
    return float(number) if isinstance(number, Decimal) else number


def read_matrix(task: MatrixTask, drawn: Drawn, typed: Sequence[str]) -> Reading:
    """Return the judgement of what was typed into the blank cells, in their order.

    A wrong cell is explained by a slip that gives it; of several, by the one that gives most of the wrong cells, and
    then by the one that agrees with most of the whole matrix, since right cells are evidence too.
    """
    values = {cell: _number(text) for cell, text in zip(task.blanks, typed, strict=True)}
    near = task.tolerance.is_near
    given = {cell: value for cell, value in values.items() if value is not None}
    right = tuple(cell for cell, value in given.items() if near(value, at(drawn.key, cell)))
    wrong = [cell for cell in given if cell not in right]
    agreeing = [
        frozenset(cell for cell, value in given.items() if near(value, at(matrix, cell))) for matrix in drawn.slips
    ]
    ranked = sorted(range(len(agreeing)), key=lambda n: (-len(agreeing[n] & set(wrong)), -len(agreeing[n])))
    cells: dict[int, list[Cell]] = {}
    unexplained = []
    for cell in wrong:
        slip = next((n for n in ranked if cell in agreeing[n]), None)
        if slip is None:
            unexplained.append(cell)
        else:
            cells.setdefault(slip, []).append(cell)
    return Reading(
        right=right,
        open=tuple(cell for cell, value in values.items() if value is None),
        by_slips=tuple(Explained(task.wrong[n], tuple(cells[n])) for n in ranked if n in cells),
        unexplained=tuple(unexplained),
    )


def _number(text: str) -> float | None:
    # What was readable once and is no more counts as wrong: a stored answer must never break a page.
    value = read_cell(text)
    return math.nan if isinstance(value, Unreadable) else value
