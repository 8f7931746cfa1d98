"""The lists of a paper's questions, by number; a template's loop over them took longer than the question itself."""

from collections.abc import Iterable

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from quizzes.judged_questions import ReviewedQuestion
from quizzes.models import Sitting
from quizzes.question_page import QuestionPage
from quizzes.review import Review

register = template.Library()


@register.simple_tag
def places(sitting: Sitting, page: QuestionPage) -> SafeString:
    """Return an item for each question of the paper, which says how it stands and leads to it."""
    questions = reverse("question", args=[sitting.pk, 0]).removesuffix("0/")
    return _list(
        _item(
            cell.position,
            cell.words,
            address=f"{questions}{cell.position}/",
            is_done=cell.is_answered,
            is_flagged=cell.is_flagged,
            is_current=cell.position == page.position,
        )
        for cell in page.progress.cells
    )


@register.simple_tag
def places_in_review(review: Review, listed: Iterable[ReviewedQuestion]) -> SafeString:
    """Return an item for each question of a review, which says how it went and leads to it, listed or not."""
    below = {question.position for question in listed}
    return _list(
        _item(
            each.position,
            "right" if each.is_right else "to look at",
            address=f"{'' if each.position in below else '?show=all'}#{each.anchor}",
            is_done=each.is_right,
            is_flagged=each.is_flagged,
        )
        for each in review.questions
    )


def _item(position: int, words: str, *, address: str, is_done: bool, is_flagged: bool, is_current: bool = False) -> str:
    look = f"{'done' if is_done else ''}{' flag' if is_flagged else ''}"
    current = ' aria-current="page"' if is_current else ""
    label = f"Question {position}, {words}"
    return f'<li><a class="{look}"{current} href="{address}" aria-label="{label}">{position}</a></li>'


def _list(items: Iterable[str]) -> SafeString:
    # Numbers, words of ours and addresses of ours: nothing here needs escaping, which took most of the time.
    return mark_safe("".join(items))  # noqa: S308
