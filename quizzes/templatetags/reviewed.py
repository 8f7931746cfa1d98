"""The questions of a review, one below the other: what is said of each is rendered once in a process for each case."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from quizzes.judged_questions import ReviewedQuestion
from quizzes.review import ConceptShare

register = template.Library()


@register.simple_tag
def reviewed_questions(
    questions: Iterable[ReviewedQuestion], sitting_id: uuid.UUID, *, for_staff: bool = False
) -> SafeString:
    """Return a section for each question; only its learner is led to where it can be reported."""
    before, after = _around_position(sitting_id)
    parts: list[str] = []
    for question in questions:
        report = "" if for_staff else f"{before}{question.position}{after}"
        parts += (_opening(question), _rendered(_Kept(question.key, for_staff, question)), report, "\n</section>\n")
    return mark_safe("".join(parts))  # noqa: S308  (a template's, between numbers and addresses of ours)


def _opening(question: ReviewedQuestion) -> str:
    # Not a template: one takes longer to fill in the four values than all else that is done for a question.
    return f"""<section class="gap" aria-labelledby="{question.anchor}">
<div class="entry"><span class="m num">{question.position}</span><div class="ask">
<h2 class="stem" id="{question.anchor}">"""


@register.simple_tag
def concept_shares(shares: Iterable[ConceptShare]) -> SafeString:
    """Return an item for each concept of a paper, which says what its questions earned."""
    return mark_safe("".join(map(_share, shares)))  # noqa: S308  (each is formatted as HTML)


@lru_cache(maxsize=2000)  # 19 concepts, each with a few marks
def _share(share: ConceptShare) -> SafeString:
    return format_html(
        '<li><span>{}</span><span class="num">{} of {}</span><div class="bar"><svg viewBox="0 0 100 6"'
        ' preserveAspectRatio="none" aria-hidden="true"><rect class="c" width="{}" height="6"/></svg></div></li>',
        share.title, share.mark, share.out_of, share.percent,
    )  # fmt: skip


_REPORT = (
    '<div class="entry"><p class="ui small on-screen"><a class="line" href="{}">Report this question</a></p></div>'
)


def _around_position(sitting_id: uuid.UUID) -> tuple[str, str]:
    """Return what stands before and after the position in the way to a report."""
    before, after = _REPORT.format(reverse("report_reviewed", args=[sitting_id, 0])).split("/0/")
    return f"{before}/", f"/{after}"


@dataclass(frozen=True)
class _Kept:
    key: str
    for_staff: bool
    question: ReviewedQuestion = field(compare=False)


@lru_cache(maxsize=2000)  # some 5 kB each
def _rendered(kept: _Kept) -> SafeString:
    return render_to_string("quizzes/_reviewed.html", {"question": kept.question, "for_staff": kept.for_staff})
