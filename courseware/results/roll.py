"""The rows of a gradebook as HTML. Composed here, since a template's loops over every learner and column took longer
than all else that the page does.

What is kept from one page to the next are cells by what they say; nothing that names a person is.
"""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from courseware.results.cohorts import CohortStanding, LearnerRow, SittingCell
from grader.standings import Standing
from quizzes.marking import shown

_ANYBODY = uuid.UUID(int=0)  # stands in an address for the id of a row: finding an address takes as long as a cell
_NOTHING = SafeString('–<span class="sr"> not begun</span>')


@dataclass(frozen=True)
class ByHand:
    """What somebody marked by hand, and who is given more time."""

    sittings: Collection[uuid.UUID]
    exercises: Collection[tuple[int, str]]  # person and slug
    more_time: Collection[int]  # enrolments


def roll(standing: CohortStanding, rows: Sequence[LearnerRow], by_hand: ByHand, *, instructs: bool) -> SafeString:
    """Return a row for each learner, in the order given; for instructors a mark leads to where it can be changed."""
    writer = _Writer(standing, by_hand, instructs)
    return _joined([writer.row(row) for row in rows])


class _Writer:
    def __init__(self, standing: CohortStanding, by_hand: ByHand, instructs: bool) -> None:
        cohort = standing.cohort.pk
        self._standing, self._by_hand, self._instructs = standing, by_hand, instructs
        self._learner_at = reverse("cohort_learner", args=[cohort, _ANYBODY])
        self._sitting_at = reverse("cohort_sitting", args=[cohort, _ANYBODY])
        self._tests_at = [reverse("cohort_mark", args=[cohort, _ANYBODY, each.pk]) for each in standing.assignments]
        self._exercises_at = [
            reverse("cohort_exercise_mark", args=[cohort, _ANYBODY, each.slug]) for each in standing.exercises
        ]

    def row(self, row: LearnerRow) -> SafeString:
        user = row.enrolment.user
        cells = [self._grade(row)]
        cells += [self._sitting(cell, address, row) for cell, address in zip(row.sittings, self._tests_at, strict=True)]
        cells += [
            self._exercise(each, address, row, exercise.slug)
            for each, address, exercise in zip(row.exercises, self._exercises_at, self._standing.exercises, strict=True)
        ]
        cells.append(_practice(row.practised, row.practised_right))
        cells += [_card(card.words, card.self_check) for card in row.cards]
        return format_html(
            '<tr><th scope="row" class="t"><a href="{}">{}</a>{}{}</th>{}</tr>\n',
            self._learner_at.replace(str(_ANYBODY), str(user.uuid)),
            user.name,
            _WITHDRAWN if row.enrolment.withdrawn_at else "",
            self._remarks(row),
            _joined(cells),
        )

    def _remarks(self, row: LearnerRow) -> SafeString:
        heed = row.remarks
        quiet = ["more time"] if self._instructs and row.enrolment.pk in self._by_hand.more_time else []
        if not heed and not quiet:
            return SafeString("")
        return _remarks(", ".join(heed), ", ".join(quiet))

    def _grade(self, row: LearnerRow) -> SafeString:
        if row.grade is None:
            return SafeString("<td>–</td>")
        if row.grade.is_provisional:
            return format_html('<td class="quiet">{}<br><span class="small">provisional</span></td>', row.grade.shown)
        return format_html("<td><b>{}</b></td>", row.grade.shown)

    def _sitting(self, cell: SittingCell, mark_at: str, row: LearnerRow) -> SafeString:
        sitting = cell.sitting
        if sitting is None:
            said: SafeString = _NOTHING
        elif sitting.mark is None:
            said = SafeString("open")
        else:
            dagger = _DAGGER if sitting.pk in self._by_hand.sittings else ""
            said = format_html("{} of {}{}", shown(sitting.mark), shown(sitting.out_of), dagger)
        if self._instructs:
            address = mark_at.replace(str(_ANYBODY), str(row.enrolment.user.uuid))
        elif sitting is not None and sitting.mark is not None:
            address = self._sitting_at.replace(str(_ANYBODY), str(sitting.pk))
        else:
            return format_html("<td>{}</td>", said)
        return format_html('<td><a href="{}">{}</a></td>', address, said)

    def _exercise(self, each: Standing, mark_at: str, row: LearnerRow, slug: str) -> SafeString:
        live = _LIVE if each.is_live else ""
        if each.best_mark is None:
            return format_html("<td>{}</td>", live or _NOTHING)
        dagger = _DAGGER if (row.enrolment.user_id, slug) in self._by_hand.exercises else ""
        said = _mark(each.best_mark)
        if self._instructs:
            said = format_html(
                '<a href="{}">{}</a>', mark_at.replace(str(_ANYBODY), str(row.enrolment.user.uuid)), said
            )
        return format_html('<td>{}{}<span class="small faint"> in {}</span>{}</td>', said, dagger, each.submits, live)


_WITHDRAWN = SafeString(' <span class="faint">withdrawn</span>')
_DAGGER = SafeString('<span title="changed by hand">†<span class="sr"> changed by hand</span></span>')
_LIVE = SafeString('<span class="small quiet">being graded</span>')


@lru_cache(maxsize=512)
def _remarks(heed: str, quiet: str) -> SafeString:
    return render_to_string("results/_remarks.html", {"heed": heed, "quiet": quiet})


@lru_cache(maxsize=32)  # four depths, none included, by right, wrong and unanswered: twelve
def _card(words: str, self_check: bool | None) -> SafeString:
    return render_to_string("results/_card_cell.html", {"words": words, "self_check": self_check})


@lru_cache(maxsize=1024)
def _mark(mark: Decimal) -> SafeString:
    return SafeString(shown(mark))


def _practice(answers: int, right: int) -> SafeString:
    if not answers:
        return SafeString("<td>–</td>")
    return format_html('<td>{}<span class="small faint">, {} right</span></td>', answers, right)


def _joined(parts: Sequence[SafeString]) -> SafeString:
    return mark_safe("".join(parts))  # noqa: S308  (each was escaped above or is a template's)
