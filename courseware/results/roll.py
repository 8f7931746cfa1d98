"""The table of a gradebook as HTML. Composed here, since a template's loops over every learner and column took longer
than all else that the page does.

Of what stands in a cell, only names and titles are anybody's choice; these are escaped, all else is numbers and ids.
What is kept from one page to the next are cells by what they say, and those of a learner's marks with these; nothing
that names a person is.
"""

import uuid
from collections.abc import Sequence
from decimal import Decimal
from functools import cache, lru_cache
from html import escape

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from courseware.results.cohorts import CardCell, CohortStanding, LearnerRow
from courseware.results.listing import Column
from courseware.results.marks import Figures, Marks, SittingCell, Written
from courseware.results.module_grade import ModuleGrade
from courseware.results.people import PAGE
from grader.standings import Standing
from quizzes.marking import shown

_ANYBODY = uuid.UUID(int=0)  # these stand in addresses for ids: finding an address takes as long as a cell
_ANY_EXERCISE = "any-exercise"
_ARROWS = {"descending": " ↓", "ascending": " ↑"}


def heads(columns: Sequence[Column]) -> SafeString:
    """Return the heads of the columns that the list can be sorted by."""
    parts = []
    for column in columns:
        kind, sort = ' class="t"' * column.is_words, f' aria-sort="{column.direction}"' * bool(column.direction)
        link = f'<a href="{escape(column.address)}">{escape(column.title)}</a>{_ARROWS.get(column.direction, "")}'
        parts.append(f'<th scope="col"{kind}{sort}>{link}{_under(column.under)}</th>')
    return mark_safe("".join(parts))  # noqa: S308  (titles and addresses were escaped)


def medians(figures: Figures) -> SafeString:
    """Return a cell for each median: the grade's, then those of tests and exercises."""
    grade, *marks = figures.medians
    cells = ["–" if grade is None else f"{grade:.1f}", *("–" if each is None else _mark(each) for each in marks)]
    return mark_safe("".join([f"<td>{each}</td>" for each in cells]))  # noqa: S308  (numbers)


def roll(standing: CohortStanding, rows: Sequence[LearnerRow], *, instructs: bool) -> SafeString:
    """Return a row for each learner, in the order given; for instructors a mark leads to where it can be changed."""
    # A table of thousands would keep as much again as their marks are.
    writer = _Writer(standing, instructs, standing.kept.written if len(rows) <= PAGE else {})
    return mark_safe("".join([writer.row(row) for row in rows]))  # noqa: S308  (names were escaped)


class _Writer:
    def __init__(self, standing: CohortStanding, instructs: bool, written: dict[tuple[int, bool], Written]) -> None:
        cohort = standing.cohort.pk
        self._slugs, self._instructs, self._written = [each.slug for each in standing.exercises], instructs, written
        self._learner_at = _around("cohort_learner", cohort)
        self._sitting_at = _around("cohort_sitting", cohort)
        self._tests_at = [_around("cohort_mark", cohort, each.pk) for each in standing.assignments]
        before, after = _around("cohort_exercise_mark", cohort, _ANY_EXERCISE)
        self._exercises_at = [(before, after.replace(_ANY_EXERCISE, slug)) for slug in self._slugs]

    def row(self, row: LearnerRow) -> str:
        person = row.person
        key = person.enrolment, self._instructs
        written = self._written.get(key)
        if written is None:
            written = self._written[key] = self._of(row.marks, str(uuid.UUID(person.uuid)))
        begun, marks = written
        left = "" if person.is_active else ' <span class="faint">withdrawn</span>'
        remarks = _remarks(", ".join(row.remarks), "more time" if self._instructs and person.has_more_time else "")
        practice = _practice(row.practised, row.practised_right)
        return f"{begun}{escape(person.name)}</a>{left}{remarks}</th>{marks}{practice}{_cards(row.cards)}</tr>\n"

    def _of(self, marks: Marks, who: str) -> Written:
        """Return what stands before somebody's name, and the cells of their marks."""
        before, after = self._learner_at
        cells = [_grade(marks.grade), *map(self._sitting, marks.sittings, self._tests_at, [who] * len(self._tests_at))]
        for each, slug, at in zip(marks.exercises, self._slugs, self._exercises_at, strict=True):
            cells.append(_exercise(each, at if self._instructs else None, who, is_by_hand=slug in marks.by_hand))
        return f'<tr><th scope="row" class="t"><a href="{before}{who}{after}">', "".join(cells)

    def _sitting(self, cell: SittingCell, mark_at: tuple[str, str], who: str) -> str:
        sitting = cell.sitting
        if sitting is None:
            said = _NOTHING
        elif sitting.mark is None:
            said = "open"
        else:
            said = f"{_mark(sitting.mark)} of {_mark(sitting.out_of)}{_DAGGER if cell.is_by_hand else ''}"
        if self._instructs:
            return f'<td><a href="{mark_at[0]}{who}{mark_at[1]}">{said}</a></td>'
        if sitting is None or sitting.mark is None:
            return f"<td>{said}</td>"
        return f'<td><a href="{self._sitting_at[0]}{sitting.pk}{self._sitting_at[1]}">{said}</a></td>'


_NOTHING = '–<span class="sr"> not begun</span>'
_DAGGER = '<span title="changed by hand">†<span class="sr"> changed by hand</span></span>'
_LIVE = '<span class="small quiet">being graded</span>'


def _around(name: str, cohort: int, *more: object) -> tuple[str, str]:
    """Return what stands before and after a person's id, or a sitting's, in an address."""
    before, _, after = reverse(name, args=[cohort, _ANYBODY, *more]).partition(str(_ANYBODY))
    return before, after


def _under(words: str) -> str:
    return f'<br><span class="small faint">{escape(words)}</span>' if words else ""


def _grade(grade: ModuleGrade | None) -> str:
    if grade is None:
        return "<td>–</td>"
    if grade.is_provisional:
        return f'<td class="quiet">{grade.shown}<br><span class="small">provisional</span></td>'
    return f"<td><b>{grade.shown}</b></td>"


def _exercise(each: Standing, mark_at: tuple[str, str] | None, who: str, *, is_by_hand: bool) -> str:
    live = _LIVE if each.is_live else ""
    if each.best_mark is None:
        return f"<td>{live or _NOTHING}</td>"
    said = _mark(each.best_mark)
    if mark_at is not None:
        said = f'<a href="{mark_at[0]}{who}{mark_at[1]}">{said}</a>'
    return f'<td>{said}{_DAGGER if is_by_hand else ""}<span class="small faint"> in {each.submits}</span>{live}</td>'


def _practice(answers: int, right: int) -> str:
    return f'<td>{answers}<span class="small faint">, {right} right</span></td>' if answers else "<td>–</td>"


@lru_cache(maxsize=512)
def _remarks(heed: str, quiet: str) -> str:
    return render_to_string("results/_remarks.html", {"heed": heed, "quiet": quiet}) if heed or quiet else ""


@lru_cache(maxsize=2000)  # some 2 kB each; learners who are equally far share one
def _cards(cards: tuple[CardCell, ...]) -> str:
    return "".join(map(_card, cards))


@cache  # four depths, none included, by right, wrong and unanswered: twelve
def _card(card: CardCell) -> str:
    return render_to_string("results/_card_cell.html", {"words": card.words, "self_check": card.self_check})


@lru_cache(maxsize=1024)
def _mark(mark: Decimal) -> str:
    return shown(mark)
