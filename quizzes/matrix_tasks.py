"""A matrix to be filled in: its key, and the matrices that slips lead to, for the numbers of any variant.

A slip is the key's own expression with one operation changed. Pure.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from courseware.drawing.matrices import Matrix
from quizzes import families
from quizzes.expressions import Number
from quizzes.families import Parameters, Tolerance, Values
from quizzes.matrix_expressions import parse_matrix_expression
from quizzes.questions import Cause, Explanation

ANSWER = "answer"  # the key's name in texts, where its cells and those of every matrix are answer_1_2 and so on

Cell = tuple[int, int]  # row and column, both from 1, as the page counts


@dataclass(frozen=True)
class Slip:
    """A matrix that a known misconception or slip leads to."""

    answer: str  # an expression
    cause: Cause
    explanation: Explanation


@dataclass(frozen=True)
class Given:
    """A matrix that the question shows, and the words for its rows and columns."""

    name: str
    rows: str
    columns: str


@dataclass(frozen=True)
class Drawn:
    """One variant: every matrix by its name, what each slip gives, and the numbers that a text may name."""

    matrices: Mapping[str, Matrix]
    slips: tuple[Matrix, ...]
    numbers: Values

    @property
    def key(self) -> Matrix:
        return self.matrices[ANSWER]


@dataclass(frozen=True)
class MatrixTask:
    """A key expression over a grid of parameters, and what the likely slips give."""

    parameters: Parameters
    where: str
    matrices: tuple[tuple[str, str], ...]  # name and expression; a later one may use the earlier ones
    answer: str
    rows: str  # the word for a row of the answer, such as "query"
    columns: str
    blanks: tuple[Cell, ...]  # what is to be filled in, row by row; the other cells are shown
    given: tuple[Given, ...]
    tolerance: Tolerance
    decimals: int
    right: Explanation
    otherwise: Explanation
    wrong: tuple[Slip, ...]

    def grid(self) -> tuple[Values, ...]:
        return families.grid(self.parameters, self.where)

    def drawn(self, parameters: Values) -> Drawn:
        """Return the matrices of one variant."""
        known: dict[str, Matrix] = {}
        for name, text in (*self.matrices, (ANSWER, self.answer)):
            known[name] = parse_matrix_expression(text, frozenset(known)).matrix(parameters, known)
        slips = (parse_matrix_expression(slip.answer, frozenset(known)) for slip in self.wrong)
        return Drawn(known, tuple(slip.matrix(parameters, known) for slip in slips), numbers_of(parameters, known))


def at(values: Matrix, cell: Cell) -> float:
    """Return the entry of a cell."""
    return values[cell[0] - 1][cell[1] - 1]


def numbers_of(parameters: Values, known: Mapping[str, Matrix]) -> Values:
    """Return what the texts of a variant may name: its parameters, and each finite cell such as `A_1_2`."""
    cells: dict[str, Number] = {
        f"{name}_{row}_{column}": entry
        for name, values in known.items()
        for row, entries in enumerate(values, start=1)
        for column, entry in enumerate(entries, start=1)
        if math.isfinite(entry)
    }
    return {**parameters, **cells}
