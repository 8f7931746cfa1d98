"""Requests that arrive at the same time. SQLite lets one writer in at a time, so the races exist on PostgreSQL only."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest
import time_machine
from django.db import connections
from django.urls import reverse
from django.utils import timezone

from quizzes import closing, self_checks, sittings
from quizzes.accommodations import extend
from quizzes.catalogue import current_bank
from quizzes.models import Event, Response, SelfCheckPick, Sitting
from quizzes.opening import open_sitting
from quizzes.outcomes import Receipt, Refusal, RefusalReason
from quizzes.timing import GRACE
from tests.factories import make_assignment, make_enrolment, make_instructor, make_sitting, make_user
from tests.quizzes.answering import right_answer, slot_of, wrong_answer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only_on("postgresql")]


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


def test_double_clicks_leave_one_attempt_and_one_score_in_twenty_rounds(signed_in):
    """Start and hand-in, each sent twice at once with the same cookie, until no attempt is left."""
    rounds = 20
    enrolment = make_enrolment()
    assignment = make_assignment(enrolment.cohort, attempts=rounds)
    pair = [signed_in(enrolment.user) for _ in range(2)]
    start = reverse("sitting_open", args=[assignment.pk])

    for attempt in range(1, rounds + 1):
        opened = at_once(*[lambda each=each: each.post(start) for each in pair])
        sitting = Sitting.objects.get(closed_at=None)
        slot = next(each for each in sitting.slots.all() if each.snapshot.question().kind in ("single", "numeric"))
        sittings.record_answer(sitting.pk, slot.position, right_answer(slot), 0)
        path = reverse("hand_in", args=[sitting.pk])
        closed = at_once(*[lambda each=each, path=path: each.post(path) for each in pair])

        assert [page.status_code for page in opened + closed] == [302] * 4
        assert (sitting.attempt, Sitting.objects.count()) == (attempt, attempt)
        assert list(Sitting.objects.filter(pk=sitting.pk).values_list("mark", flat=True)) == [1]
        assert Event.objects.filter(sitting=sitting, kind__in=["opened", "closed"]).count() == 2
    assert at_once(*[lambda each=each: each.post(start) for each in pair])[0]["Location"].endswith(f"{assignment.pk}/")
    assert Sitting.objects.count() == rounds


def test_at_the_end_of_the_time_an_answer_is_refused_or_counts():
    """Saving while the server closes, a moment before and after the grace is over."""
    for milliseconds in (-40, -20, -10, 0, 10, 20, 40, 60):
        sitting = make_sitting(make_assignment(minutes=1))
        slot = slot_of(sitting, "single")
        answer = right_answer(slot)
        ends = timezone.now() - GRACE + timedelta(milliseconds=milliseconds)
        Sitting.objects.filter(pk=sitting.pk).update(deadline_at=ends, opened_at=ends - timedelta(minutes=1))

        result, *_ = at_once(
            lambda: sittings.record_answer(sitting.pk, slot.position, answer, 0),  # noqa: B023
            lambda: closing.close_due(at_most=5),
            lambda: closing.close_due(at_most=5),
        )
        with time_machine.travel(timezone.now() + timedelta(seconds=1)):
            closed = closing.close_if_due(Sitting.objects.get(pk=sitting.pk))

        assert closed.mark == (1 if isinstance(result, Receipt) else 0)
        assert (closed.closed_at, closed.closed_by) == (ends, "deadline")
        assert Event.objects.filter(sitting=sitting, kind="closed").count() == 1


def test_time_that_is_given_while_the_server_closes_is_given_or_comes_too_late():
    """Never half of it: a sitting that stays open has its minutes, and one that was closed ended at its limit."""
    by = make_instructor()
    for _ in range(8):
        sitting = make_sitting(make_assignment(minutes=1))
        ends = timezone.now() - GRACE
        Sitting.objects.filter(pk=sitting.pk).update(deadline_at=ends, opened_at=ends - timedelta(minutes=1))

        more = partial(extend, sitting.assignment, sitting.enrolment, minutes=10, attempts=0, already_given=0, by=by)
        at_once(lambda: closing.close_due(at_most=5), more)

        after = Sitting.objects.get(pk=sitting.pk)
        if after.is_closed:
            assert (after.closed_at, after.deadline_at) == (ends, ends)
        else:
            assert after.deadline_at == ends + timedelta(minutes=10)


def test_of_many_picks_at_once_one_is_kept():
    user = make_user()
    concept_id, question = next(iter(current_bank().self_checks.items()))
    options = [option.id for option in question.task.options] * 2

    kept = at_once(*[lambda each=each: self_checks.pick(user, concept_id, each) for each in options])

    assert {pick.option_id for pick in kept} == {SelfCheckPick.objects.get().option_id}
