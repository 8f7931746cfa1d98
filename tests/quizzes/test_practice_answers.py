"""What practice keeps of an answer, and which ideas it offers to go over."""

from datetime import timedelta

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from quizzes import practice, practice_lists, practice_pool, self_checks
from quizzes.catalogue import current_bank
from quizzes.models import PracticeAnswer
from quizzes.practice import ANSWERS_PER_MINUTE
from quizzes.questions import Answer, Pool
from tests.factories import make_assignment, make_sitting, make_user
from tests.quizzes.answering import answer_and_hand_in
from tests.quizzes.practising import CONCEPT, belief_of, hand_in_with_an_idea, keep_answer, of_kind, option

pytestmark = pytest.mark.django_db


def test_an_answer_is_kept_with_all_that_it_takes_to_read_it_later():
    user, question = make_user(), of_kind("single")
    wrong = option(question, is_right=False)

    kept = practice.keep(user, question, 1, wrong)
    kept.refresh_from_db()

    assert (kept.user, kept.question_id, kept.concept_id, kept.number) == (user, question.id, question.concept_id, 1)
    assert kept.snapshot.question() == question
    assert kept.variant == practice.variant_for(user, question, 1)
    assert (kept.given, kept.fraction, kept.is_right) == (wrong, 0, False)
    cause = next(each.cause for each in question.task.options if each.id == wrong.parts[0])
    assert kept.misconception_ids == ([cause.id] if cause else [])


def test_the_same_form_sent_twice_is_one_answer():
    user, question = make_user(), of_kind("single")

    first = practice.keep(user, question, 1, option(question, is_right=False))
    second = practice.keep(user, question, 1, option(question, is_right=True))

    assert first == second
    assert PracticeAnswer.objects.count() == 1
    with pytest.raises(ValueError, match="not number 3"):
        practice.keep(user, question, 3, option(question, is_right=True))
    with transaction.atomic(), pytest.raises(IntegrityError):
        PracticeAnswer.objects.filter(pk=first.pk).update(number=0)


def test_very_many_answers_within_a_minute_are_not_kept():
    user, question = make_user(), of_kind("single")
    kept = practice.keep(user, question, 1, option(question, is_right=True))
    rows = [PracticeAnswer(**_fields(kept), number=number) for number in range(2, ANSWERS_PER_MINUTE + 1)]
    PracticeAnswer.objects.bulk_create(rows)

    refused = practice.keep(user, question, ANSWERS_PER_MINUTE + 1, option(question, is_right=True))
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        later = practice.keep(user, question, ANSWERS_PER_MINUTE + 1, option(question, is_right=True))

    assert refused is None
    assert later is not None


def _fields(answer: PracticeAnswer) -> dict:
    names = ("user", "snapshot", "question_id", "concept_id", "parameters", "option_order", "answer", "fraction")
    return {name: getattr(answer, name) for name in names}


def test_practice_never_touches_a_mark(signed_in):
    sitting = make_sitting(make_assignment())
    answer_and_hand_in(sitting)
    sitting.refresh_from_db()
    before = sitting.mark

    for question in practice_pool.of_concept(CONCEPT):
        keep_answer(sitting.enrolment.user, question, is_right=False)

    sitting.refresh_from_db()
    assert sitting.mark == before
    assert "1.33 of 9" in signed_in(sitting.enrolment.user).get(reverse("home")).content.decode()


def test_an_idea_that_showed_in_a_self_check_or_in_practice_is_offered():
    user, other = make_user(), make_user()
    question = next(
        each for each in current_bank().questions.values() if each.pool is Pool.PRACTICE and belief_of(each)
    )
    belief = belief_of(question)
    wrong = next(each for each in question.task.options if each.cause and each.cause.id == belief)
    practice.keep(user, question, 1, Answer((wrong.id,)))
    for check in current_bank().self_checks.values():
        picked = next(each for each in check.task.options if not each.is_right)
        self_checks.pick(other, check.concept_id, picked.id)

    offered = [line.idea.id for line in practice_lists.overview_of(user).ideas]
    picks = {line.idea.id for line in practice_lists.overview_of(other).ideas}

    assert offered == [belief]
    assert picks == {
        each
        for pick in other.self_check_picks.all()
        for each in pick.misconception_ids
        if each.startswith("m") and practice_pool.of_idea(each)
    }


@pytest.mark.parametrize(
    ("explanations", "offered"), [("at hand-in", True), ("after closing", False), ("never", False)]
)
def test_an_idea_of_a_test_is_offered_only_once_the_test_explains_it(explanations, offered):
    closes_at = timezone.now() + timedelta(hours=1)
    sitting = make_sitting(make_assignment(explanations_shown=explanations, closes_at=closes_at))
    user = sitting.enrolment.user
    held = hand_in_with_an_idea(sitting)

    assert ({line.idea.id for line in practice_lists.overview_of(user).ideas} == held) == offered
    with time_machine.travel(closes_at + timedelta(seconds=1)):
        later = {line.idea.id for line in practice_lists.overview_of(user).ideas}
    assert later == (set() if explanations == "never" else held)
