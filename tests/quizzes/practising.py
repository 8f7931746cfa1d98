"""What tests of practice share: a question of a kind, its page and form, an answer that was kept."""

import re

from django.urls import reverse

from courseware.concepts.course import current
from quizzes import practice, practice_pool, sittings
from quizzes.catalogue import current_bank
from quizzes.models import PracticeAnswer, Response
from quizzes.questions import Answer, Pool
from tests.quizzes.answering import right_answer_to, wrong_answer_to

CONCEPT = "scaled-dot-product-attention"


def of_kind(kind: str):
    return next(each for each in current_bank().questions.values() if each.pool is Pool.PRACTICE and each.kind == kind)


def option(question, *, is_right: bool) -> Answer:
    return Answer((next(each.id for each in question.task.options if each.is_right == is_right),))


def page_of(question, **query) -> str:
    return reverse("practice_question", args=[question.concept_id, question.slug], query=query or None)


def form_of(response) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(turn|version)" value="([^"]*)">', response.content.decode()))


def keep_answer(user, question, *, is_right: bool) -> PracticeAnswer:
    number = practice.pose(user, question).number
    give = right_answer_to if is_right else wrong_answer_to
    answer = give(question, practice.variant_for(user, question, number))
    return practice.keep(user, question, number, answer)


def belief_of(question) -> str | None:
    options = getattr(question.task, "options", ())
    return next((each.cause.id for each in options if getattr(each, "cause", None) and not each.cause.is_slip), None)


def hand_in_with_an_idea(sitting) -> set[str]:
    """Hand in, and let one answer show a misconception that can be practised; which those are is the course's."""
    idea = next(each for each in current().misconceptions if practice_pool.of_idea(each))
    sittings.hand_in(sitting.pk)
    Response.objects.filter(slot__sitting=sitting, slot__position=1).update(misconception_ids=[idea])
    return {idea}
