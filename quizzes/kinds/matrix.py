"""A small matrix to be filled in cell by cell, drawn from a family; wrong cells are explained by the slip they show."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from itertools import groupby
from typing import Any

from courseware.concepts.sources import Fields
from courseware.drawing.matrices import Matrix, shape
from quizzes import families, matrix_grid, placeholders
from quizzes.expressions import Number
from quizzes.matrix_reading import Reading, read_cell, read_matrix
from quizzes.matrix_tables import Entry, Table, number, numbers_table, table_of
from quizzes.matrix_tasks import Cell, Given, MatrixTask, Slip, at
from quizzes.questions import (
    Answer,
    Cause,
    Commentary,
    Explanation,
    Figure,
    Grounds,
    Kind,
    Marked,
    Note,
    Posed,
    Shape,
    Unreadable,
    Variant,
)
from quizzes.variants import variant_index

LONGEST = 200  # characters of a cell that are kept for correcting; no number comes near
_TABLES = "quizzes/_matrices.html"


class FilledMatrix(Kind[MatrixTask]):
    """A table of text fields, each named by its row and column. Worth the share of blank cells that are right."""

    name = "matrix"

    def parse(self, fields: Fields, grounds: Grounds) -> MatrixTask | None:
        return matrix_grid.parse(fields, grounds)

    def freeze(self, task: MatrixTask) -> dict[str, Any]:
        return {
            **self.marking_key(task),
            "rows": task.rows,
            "columns": task.columns,
            "given": [asdict(given) for given in task.given],
            "decimals": task.decimals,
            "right": asdict(task.right),
            "otherwise": asdict(task.otherwise),
            "wrong": [asdict(slip) for slip in task.wrong],
        }

    def thaw(self, body: Mapping[str, Any]) -> MatrixTask:
        return MatrixTask(
            parameters=tuple((name, tuple(values)) for name, values in body["parameters"]),
            where=body["where"],
            matrices=tuple((name, text) for name, text in body["matrices"]),
            answer=body["answer"],
            rows=body["rows"],
            columns=body["columns"],
            blanks=tuple((row, column) for row, column in body["blanks"]),
            given=tuple(Given(**given) for given in body["given"]),
            tolerance=families.Tolerance(**body["tolerance"]),
            decimals=body["decimals"],
            right=Explanation(**body["right"]),
            otherwise=Explanation(**body["otherwise"]),
            wrong=tuple(
                Slip(slip["answer"], Cause(**slip["cause"]), Explanation(**slip["explanation"]))
                for slip in body["wrong"]
            ),
        )

    def marking_key(self, task: MatrixTask) -> dict[str, Any]:
        return {
            "rule": "the share of blank cells that are right",
            # Pairs, since a database may sort the keys of an object and the order decides the variant.
            "parameters": [[name, list(values)] for name, values in task.parameters],
            "where": task.where,
            "matrices": [list(pair) for pair in task.matrices],
            "answer": task.answer,
            "blanks": [list(cell) for cell in task.blanks],
            "tolerance": asdict(task.tolerance),
        }

    def draw(self, task: MatrixTask, *, seed: str, question_id: str) -> Variant:
        grid = task.grid()
        return Variant(parameters=grid[variant_index(seed, question_id, len(grid))], option_order=())

    def variants(self, task: MatrixTask) -> Sequence[Mapping[str, Number]]:
        return task.grid()

    def fill(self, text: str, posed: Posed[MatrixTask]) -> str:
        return placeholders.fill(text, posed.task.drawn(posed.variant.parameters).numbers, posed.task.decimals)

    def exhibit(self, posed: Posed[MatrixTask]) -> tuple[Figure, ...]:
        task, known = posed.task, posed.task.drawn(posed.variant.parameters).matrices
        tables = tuple(
            numbers_table(known[given.name], (given.rows, given.columns), given.name, task.decimals)
            for given in task.given
        )
        return (Figure(_TABLES, tables),) if tables else ()

    def control(self, posed: Posed[MatrixTask], answer: Answer | None) -> Table:
        task, typed = posed.task, _typed(posed.task, answer)
        drawn = task.drawn(posed.variant.parameters)

        def entry_of(cell: Cell) -> Entry:
            if cell in typed:
                return Entry(typed[cell], name=_field(cell), label=_named(task, cell))
            return number(at(drawn.key, cell), task.decimals)

        # Of what slips give too, so that it says nothing about the key.
        has_signs = any(entry < 0 for values in (drawn.key, *drawn.slips) for row in values for entry in row)
        return replace(_table(task, drawn.key, "Your matrix", entry_of), has_signs=has_signs)

    def read(self, posed: Posed[MatrixTask], posted: Mapping[str, Sequence[str]]) -> Answer | Unreadable | None:
        task = posed.task
        typed = tuple("".join(posted.get(_field(cell), ())[:1]).strip()[:LONGEST] for cell in task.blanks)
        read = {cell: read_cell(text) for cell, text in zip(task.blanks, typed, strict=True)}
        faults = {cell: value.reason for cell, value in read.items() if isinstance(value, Unreadable)}
        if faults:
            reasons = " ".join(f"{_capital(_named(task, cell))}: {reason}" for cell, reason in faults.items())
            return Unreadable(reasons, given=typed, fields=tuple(map(_field, faults)))
        return Answer(typed) if any(typed) else None

    def mark(self, posed: Posed[MatrixTask], answer: Answer | None) -> Marked:
        if answer is None:
            return Marked(Fraction(0), ())
        reading = read_matrix(posed.task, posed.task.drawn(posed.variant.parameters), answer.parts)
        return Marked(reading.fraction, tuple(dict.fromkeys(each.slip.cause for each in reading.by_slips)))

    def comment(self, posed: Posed[MatrixTask], answer: Answer | None) -> Commentary:
        task, drawn = posed.task, posed.task.drawn(posed.variant.parameters)
        reading = read_matrix(task, drawn, answer.parts if answer else ("",) * len(task.blanks))
        notes = [self._wrong(posed, each.cells, each.slip.explanation, each.slip.cause) for each in reading.by_slips]
        if reading.unexplained:
            notes.append(self._wrong(posed, reading.unexplained, task.otherwise, None))
        is_mine = answer is not None and not notes
        label = "Your matrix, the answer" if reading.fraction == 1 else "The answer"
        right = self.fill(task.right.why, posed)
        notes.append(Note(Shape.RIGHT, label, is_mine, "", right, task.right.see))
        recognised = [each.slip for each in reading.by_slips]
        for slip, given in zip(task.wrong, drawn.slips, strict=True):
            if slip not in recognised:
                notes.append(self._offered(posed, slip, given))
        right_one = _table(task, drawn.key, "The answer", lambda cell: number(at(drawn.key, cell), task.decimals))
        if answer is None:
            return Commentary(Shape.OPEN, "Left open.", "", tuple(notes), Figure(_TABLES, (right_one,)))
        own = _table(task, drawn.key, "Filled in", _judged(task, drawn.key, reading, answer))
        shape_, word = _judgement(reading)
        return Commentary(shape_, word, _reason(reading), tuple(notes), Figure(_TABLES, (own, right_one)))

    def _wrong(
        self, posed: Posed[MatrixTask], cells: Sequence[Cell], explanation: Explanation, cause: Cause | None
    ) -> Note:
        said, why = _list(posed.task, cells), self.fill(explanation.why, posed)
        label = "Your cell" if len(cells) == 1 else "Your cells"
        return Note(Shape.WRONG, label, True, said, why, explanation.see, cause)

    def _offered(self, posed: Posed[MatrixTask], slip: Slip, given: Matrix) -> Note:
        """Return the explanation of a slip that the learner did not make, with the matrix that it gives."""
        task, why = posed.task, self.fill(slip.explanation.why, posed)
        caption = f"What goes with “{slip.cause.label}”"
        shown = _table(task, given, caption, lambda cell: number(at(given, cell), task.decimals))
        figure = Figure(_TABLES, (shown,))
        return Note(Shape.OPEN, "A known wrong matrix", False, "", why, slip.explanation.see, slip.cause, figure)


def _table(task: MatrixTask, like: Matrix, caption: str, entry_of: Callable[[Cell], Entry]) -> Table:
    return table_of(shape(like), (task.rows, task.columns), caption, entry_of)


def _judged(task: MatrixTask, key: Matrix, reading: Reading, answer: Answer) -> Callable[[Cell], Entry]:
    """Return what stands in each cell of the learner's matrix once it is judged."""
    typed = _typed(task, answer)

    def entry_of(cell: Cell) -> Entry:
        if cell not in typed:
            return number(at(key, cell), task.decimals)
        if cell in reading.open:
            return Entry("", shape=Shape.OPEN.value, word="empty")
        is_right = cell in reading.right
        return Entry(
            typed[cell], shape=(Shape.RIGHT if is_right else Shape.WRONG).value, word="" if is_right else "wrong"
        )

    return entry_of


def _judgement(reading: Reading) -> tuple[Shape, str]:
    if reading.fraction == 1:
        return Shape.RIGHT, "Right."
    return (Shape.PARTLY, "Partly right.") if reading.right else (Shape.WRONG, "Not this one.")


def _reason(reading: Reading) -> str:
    """Return how many cells are right, and what most of the others show."""
    if reading.fraction == 1:
        return ""
    count = f"{len(reading.right)} of {reading.count} cells are right."
    if not reading.by_slips:
        return count
    first = reading.by_slips[0]
    go = "goes" if len(first.cells) == 1 else "go"
    return f"{count} {len(first.cells)} of the others {go} with “{first.slip.cause.label}”."


def _typed(task: MatrixTask, answer: Answer | None) -> Mapping[Cell, str]:
    return dict(zip(task.blanks, answer.parts if answer else ("",) * len(task.blanks), strict=True))


def _field(cell: Cell) -> str:
    return f"cell-{cell[0]}-{cell[1]}"


def _named(task: MatrixTask, cell: Cell) -> str:
    return f"{task.rows} {cell[0]}, {task.columns} {cell[1]}"


def _list(task: MatrixTask, cells: Sequence[Cell]) -> str:
    """Return the names of cells, row by row."""
    rows = [
        f"{task.rows} {row}: " + ", ".join(f"{task.columns} {column}" for _, column in in_row)
        for row, in_row in groupby(sorted(cells), key=lambda cell: cell[0])
    ]
    return _capital("; ".join(rows))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


KIND = FilledMatrix()
