"""The rows of a cohort's table as HTML. Composed here, since a template's loops over every learner and column took
longer than all else that the page does.

What is kept from one page to the next are cells by what they say; nothing that names a person is.
"""

import uuid
from decimal import Decimal
from functools import lru_cache

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from courseware.results.cohorts import CohortStanding, SittingCell
from quizzes.marking import shown

_ANYBODY = uuid.UUID(int=0)  # stands in an address for the id of a row: finding an address takes as long as a cell
_NOTHING = SafeString("<td>–</td>")


def roll(standing: CohortStanding) -> SafeString:
    """Return a row for each learner, in the order of the standing."""
    learner_at = reverse("cohort_learner", args=[standing.cohort.pk, _ANYBODY])
    sitting_at = reverse("cohort_sitting", args=[standing.cohort.pk, _ANYBODY])
    rows = []
    for row in standing.rows:
        cells = [_card(card.words, card.self_check) for card in row.cards]
        cells += [_sitting(cell, sitting_at) for cell in row.sittings]
        cells += [_exercise(each.best_mark, each.submits) for each in row.exercises]
        rows.append(
            format_html(
                '<tr><th scope="row" class="t"><a href="{}">{}</a>{}</th>{}</tr>\n',
                learner_at.replace(str(_ANYBODY), str(row.enrolment.user.uuid)),
                row.enrolment.user.name,
                _WITHDRAWN if row.enrolment.withdrawn_at else "",
                _joined(cells),
            )
        )
    return _joined(rows)


_WITHDRAWN = SafeString(' <span class="faint">withdrawn</span>')


@lru_cache(maxsize=32)  # four depths, none included, by right, wrong and unanswered: twelve
def _card(words: str, self_check: bool | None) -> SafeString:
    return render_to_string("results/_card_cell.html", {"words": words, "self_check": self_check})


def _sitting(cell: SittingCell, sitting_at: str) -> SafeString:
    sitting = cell.sitting
    if sitting is None:
        return _NOTHING
    if sitting.mark is None:
        return SafeString("<td>open</td>")
    address = sitting_at.replace(str(_ANYBODY), str(sitting.pk))
    return format_html('<td><a href="{}">{} of {}</a></td>', address, shown(sitting.mark), shown(sitting.out_of))


def _exercise(best_mark: Decimal | None, submits: int) -> SafeString:
    if best_mark is None:
        return _NOTHING
    return format_html('<td>{}<span class="small faint"> in {}</span></td>', shown(best_mark), submits)


def _joined(parts: list[SafeString]) -> SafeString:
    return mark_safe("".join(parts))  # noqa: S308  (each was escaped above or is a template's)
