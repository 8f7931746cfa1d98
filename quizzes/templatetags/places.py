"""The list of a paper's questions, by number; a template's loop over them took longer than the question itself."""

from django import template
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from quizzes.models import Sitting
from quizzes.question_page import QuestionPage

register = template.Library()


@register.simple_tag
def places(sitting: Sitting, page: QuestionPage) -> SafeString:
    """Return an item for each question of the paper, which says how it stands and leads to it."""
    questions = reverse("question", args=[sitting.pk, 0]).removesuffix("0/")
    return format_html_join(
        "",
        '<li><a class="{}{}"{} href="{}{}/" aria-label="Question {}, {}">{}</a></li>',
        (
            (
                "done" if cell.is_answered else "",
                " flag" if cell.is_flagged else "",
                _CURRENT if cell.position == page.position else "",
                questions,
                cell.position,
                cell.position,
                cell.words,
                cell.position,
            )
            for cell in page.progress.cells
        ),
    )


_CURRENT = SafeString(' aria-current="page"')
