"""A cohort's standing as a table, and as CSV that a spreadsheet opens without harm."""

import csv
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from courseware.results.cohorts import CohortStanding, rows_of
from courseware.results.xlsx_export import Cell
from quizzes.marking import shown

# A spreadsheet takes a cell that begins so for a formula, after spaces and signs that do not show too, and some the
# full-width signs as well; people choose their own names.
_FORMULA = re.compile(r"[\s\ufeff\u200b-\u200f\u2060\x00]*[=+\-@|%＝＋－＠]|[\t\r\n\x00]")
BYTE_ORDER_MARK = "\ufeff"  # without it Excel reads UTF-8 as the system's code page


class Echo:
    """A file for csv.writer that gives each line back instead of keeping it."""

    def write(self, line: str) -> str:
        return line


def harmless(text: str) -> str:
    """Return a text that a spreadsheet shows as it is."""
    return f"'{text}" if _FORMULA.match(text) else text


def number(value: Decimal | None) -> str:
    """Return a mark as the pages show it, or nothing; a missing mark is never a zero."""
    return "" if value is None else shown(value)


def lines(standing: CohortStanding) -> Iterator[str]:
    """Yield the lines of the CSV."""
    writer: Any = csv.writer(Echo())
    mark = BYTE_ORDER_MARK
    for row in table(standing):
        yield mark + writer.writerow([_text(cell) for cell in row])
        mark = ""


def table(standing: CohortStanding) -> Iterator[Sequence[Cell]]:
    """Yield head and rows: who, then cards, tests, exercises, practice and the grade."""
    yield _head(standing)
    for row in rows_of(standing, standing.people):
        person, marks = row.person, row.marks
        cells: list[Cell] = [person.name, person.email, person.section, "" if person.is_active else "yes"]
        for card in row.cards:
            cells += [card.words, "" if card.self_check is None else "right" if card.self_check else "not yet"]
        for sitting in marks.sittings:
            cells += [_rounded(sitting.mark), _rounded(sitting.sitting.out_of) if sitting.sitting else None]
        for exercise in marks.exercises:
            cells += [_rounded(exercise.best_mark), exercise.submits]
        cells.append(row.practised)
        if standing.has_grade:
            grade = marks.grade
            cells += [Decimal(grade.shown) if grade else None, "yes" if grade and grade.is_provisional else ""]
        yield cells


def _head(standing: CohortStanding) -> list[Cell]:
    head: list[Cell] = ["Name", "E-mail address", "Section", "Withdrawn"]
    for concept in standing.concepts:
        head += [f"{concept.title}: read", f"{concept.title}: self-check"]
    for assignment in standing.assignments:
        head += [f"{assignment.title}: mark", f"{assignment.title}: out of"]
    for exercise in standing.exercises:
        head += [f"{exercise.title}: best of {number(exercise.marks)}", f"{exercise.title}: submissions"]
    head.append("Practice: answers")
    return [*head, "Module grade of 100", "Provisional"] if standing.has_grade else head


def _rounded(mark: Decimal | None) -> Decimal | None:
    """Return a mark as the pages round it, so that no file says otherwise."""
    return None if mark is None else Decimal(shown(mark))


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    return harmless(cell) if isinstance(cell, str) else f"{cell:f}" if isinstance(cell, Decimal) else str(cell)
