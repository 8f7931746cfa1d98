"""Requests that arrive at the same time. SQLite lets one writer in at a time, so the races exist on PostgreSQL only."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from quizzes import self_checks, sittings
from quizzes.catalogue import current_bank
from quizzes.models import Event, Response, SelfCheckPick, Sitting
from quizzes.opening import open_sitting
from quizzes.outcomes import Receipt, Refusal, RefusalReason
from tests.factories import make_assignment, make_enrolment, make_sitting, make_user
from tests.quizzes.answering import right_answer, slot_of, wrong_answer

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls):
    """Return the results of calls that run in threads of their own."""

    def run(call):
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_many_starts_at_once_open_one_sitting():
    enrolment = make_enrolment()
    assignment = make_assignment(enrolment.cohort)

    opened = at_once(*[lambda: open_sitting(enrolment, assignment)] * 8)

    assert len({sitting.pk for sitting in opened}) == Sitting.objects.count() == 1


def test_two_learners_who_start_at_once_share_the_new_snapshots():
    assignment = make_assignment()
    enrolments = [make_enrolment(cohort=assignment.cohort) for _ in range(6)]

    opened = at_once(*[lambda each=each: open_sitting(each, assignment) for each in enrolments])

    assert all(isinstance(sitting, Sitting) for sitting in opened)


def test_of_two_different_answers_at_once_one_is_saved_and_one_is_refused():
    sitting = make_sitting()
    slot = slot_of(sitting, "single")
    answers = [right_answer(slot), wrong_answer(slot)]

    results = at_once(
        *[lambda each=each: sittings.record_answer(sitting.pk, slot.position, each, 0) for each in answers]
    )

    saved = next(index for index, result in enumerate(results) if isinstance(result, Receipt))
    refused = results[1 - saved]
    assert isinstance(refused, Refusal)
    assert refused.reason is RefusalReason.STALE
    assert Response.objects.get(slot=slot).given == answers[saved]


def test_an_answer_with_a_receipt_is_never_left_out_of_the_mark():
    """Saving and handing in at once: either the answer is refused, or it counts."""
    for _ in range(10):
        sitting = make_sitting()
        slot = slot_of(sitting, "single")
        answer = right_answer(slot)

        result, closed, again = at_once(
            lambda: sittings.record_answer(sitting.pk, slot.position, answer, 0),  # noqa: B023
            lambda: sittings.hand_in(sitting.pk),  # noqa: B023
            lambda: sittings.hand_in(sitting.pk),  # noqa: B023
        )

        assert closed.mark == again.mark == (1 if isinstance(result, Receipt) else 0)
        assert Event.objects.filter(sitting=sitting, kind="closed").count() == 1


def test_of_many_picks_at_once_one_is_kept():
    user = make_user()
    concept_id, question = next(iter(current_bank().self_checks.items()))
    options = [option.id for option in question.task.options] * 2

    kept = at_once(*[lambda each=each: self_checks.pick(user, concept_id, each) for each in options])

    assert {pick.option_id for pick in kept} == {SelfCheckPick.objects.get().option_id}
