"""A cohort's standing as CSV that a spreadsheet opens without harm."""

import csv
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from courseware.results.cohorts import CohortStanding
from quizzes.marking import shown

# A spreadsheet takes a cell that begins so for a formula, some the full-width signs too; people choose their own names.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
BYTE_ORDER_MARK = "\ufeff"  # without it Excel reads UTF-8 as the system's code page


class Echo:
    """A file for csv.writer that gives each line back instead of keeping it."""

    def write(self, line: str) -> str:
        return line


def harmless(text: str) -> str:
    """Return a text that a spreadsheet shows as it is."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def number(value: Decimal | None) -> str:
    """Return a mark as the pages show it, or nothing; a missing mark is never a zero."""
    return "" if value is None else shown(value)


def lines(standing: CohortStanding) -> Iterator[str]:
    """Yield the lines of the CSV: who, then cards, tests and exercises in the order of the page."""
    writer: Any = csv.writer(Echo())
    yield BYTE_ORDER_MARK + writer.writerow(_head(standing))
    for row in standing.rows:
        user = row.enrolment.user
        cells = [harmless(user.name), harmless(user.email), harmless(row.enrolment.section)]
        cells.append("yes" if row.enrolment.withdrawn_at else "")
        for card in row.cards:
            cells.append(card.words)
            cells.append("" if card.self_check is None else "right" if card.self_check else "not yet")
        for sitting in row.sittings:
            cells.append(number(sitting.sitting.mark) if sitting.sitting else "")
            cells.append(number(sitting.sitting.out_of) if sitting.sitting else "")
        for exercise in row.exercises:
            cells += [number(exercise.best_mark), str(exercise.submits)]
        yield writer.writerow(cells)


def _head(standing: CohortStanding) -> list[str]:
    head = ["Name", "E-mail address", "Section", "Withdrawn"]
    for concept in standing.concepts:
        head += [f"{concept.title}: read", f"{concept.title}: self-check"]
    for assignment in standing.assignments:
        head += [f"{assignment.title}: mark", f"{assignment.title}: out of"]
    for exercise in standing.exercises:
        head += [f"{exercise.title}: best of {number(exercise.marks)}", f"{exercise.title}: submissions"]
    return [harmless(title) for title in head]
