"""Sending: one conditional update per row, in fair order, never more than the judges can take, never lost."""

import threading
import time
from datetime import timedelta

import pytest
from celery import Celery, current_app
from django.db import connection
from django.utils import timezone

from grader.dispatching import dispatch, put_right, requeue_expired
from grader.ending import MAX_DELIVERIES
from grader.messages import GradeOrder
from grader.models import JudgeHost, Kind, State, Submission
from grader.pipe import is_silent
from grader.submissions import cancel, record_progress, record_verdict, submit
from grader.transport import celery_options
from tests.factories import make_judge, make_user
from tests.grader_site.answers import check_report, progress_note, verdict_note
from tests.grader_site.courses import SOLUTION
from tests.servers import free_port

pytestmark = pytest.mark.django_db


def _submit(exercise, user=None, *, minutes_ago=0, kind=Kind.SUBMIT) -> Submission:
    submission = submit(user or make_user(), exercise, kind=kind, source=SOLUTION)
    submission.queued_at -= timedelta(minutes=minutes_ago)
    submission.save(update_fields=["queued_at"])
    return submission


def _expire(submission: Submission) -> None:
    Submission.objects.filter(pk=submission.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


def test_a_sent_row_has_a_ticket_a_seed_and_a_lease_of_limit_and_grace(exercise, broker, judge, settings):
    settings.GRADER_LEASE_GRACE_SECONDS = 7
    submission = _submit(exercise)

    assert dispatch() == 1

    submission.refresh_from_db()
    assert (submission.state, submission.delivery, len(submission.ticket)) == (State.SENT, 1, 32)
    assert 0 <= submission.seed < 2**63
    assert submission.lease_until - submission.started_at == timedelta(seconds=10 + 7)


def test_the_message_holds_all_that_the_judge_needs(exercise, broker, judge):
    submission = _submit(exercise)

    dispatch()

    submission.refresh_from_db()
    (message,) = broker.orders()
    order = GradeOrder.from_message(message)
    assert (order.sent.submission, order.sent.ticket) == (str(submission.pk), submission.ticket)
    assert (order.exercise, order.exercise_digest, order.source) == ("double", exercise.digest, SOLUTION)
    assert (order.seed, order.kind.value, order.stages) == (submission.seed, "submit", ("cpu",))
    assert order.limits["total_seconds"] == 10


def test_nothing_is_sent_while_no_judge_is_alive(exercise, broker):
    make_judge(seen_at=timezone.now() - timedelta(minutes=2))
    submission = _submit(exercise)

    assert dispatch() == 0

    submission.refresh_from_db()
    assert submission.state == State.QUEUED
    assert broker.orders() == []


def test_nothing_is_sent_to_a_judge_that_refuses_to_grade(exercise, broker):
    make_judge(refusal="bubblewrap is missing")
    _submit(exercise)

    assert dispatch() == 0


def test_at_most_twice_as_many_rows_are_out_as_judges_are_alive(exercise, broker, judge):
    make_judge(name="judge-2")
    for _ in range(6):
        _submit(exercise)

    sent = [dispatch(), dispatch()]

    assert sent == [4, 0]
    assert Submission.objects.filter(state=State.SENT).count() == 4


def test_an_exercise_waits_for_a_judge_that_has_its_library(torch_exercise, exercise, broker, judge):
    waiting = _submit(torch_exercise, minutes_ago=5)
    ready = _submit(exercise)

    dispatch()
    assert [order["submission"] for order in broker.orders()] == [str(ready.pk)]

    make_judge(name="judge-2", libraries=["numpy", "pytorch"])
    dispatch()
    assert str(waiting.pk) in [order["submission"] for order in broker.orders()]


def test_everybody_gets_a_first_turn_before_anybody_a_second(exercise, torch_exercise, broker):
    eager, late = make_user(), make_user()
    first = _submit(exercise, eager, minutes_ago=9)
    second = _submit(torch_exercise, eager, minutes_ago=8)
    third = _submit(exercise, late, minutes_ago=1)

    assert list(Submission.objects.in_turn()) == [first, third, second]


def test_whoever_was_served_stands_behind_whoever_was_not(exercise, torch_exercise, broker, judge):
    """Else a learner whose first has come back would be served again before the first of somebody who came later."""
    eager, late = make_user(), make_user()
    first = _submit(exercise, eager, minutes_ago=9)
    behind = _submit(torch_exercise, eager, minutes_ago=8)
    dispatch()
    first.refresh_from_db()
    record_verdict(verdict_note(first))
    ahead = _submit(exercise, late, minutes_ago=1)

    assert list(Submission.objects.in_turn()) == [ahead, behind]


def test_a_learner_with_a_row_out_stands_behind_the_others(exercise, torch_exercise, broker, judge):
    eager, late = make_user(), make_user()
    _submit(exercise, eager)
    dispatch()
    behind = _submit(torch_exercise, eager, minutes_ago=5)
    ahead = _submit(exercise, late)

    assert list(Submission.objects.in_turn()) == [ahead, behind]


def test_a_row_taken_back_at_the_judge_still_takes_a_place_until_the_judge_answers(exercise, broker, judge):
    first, second = _submit(exercise, minutes_ago=3), _submit(exercise, minutes_ago=2)
    dispatch()
    waiting = _submit(exercise)
    for submission in (first, second):
        submission.refresh_from_db()
    cancel(first)

    assert dispatch() == 0
    assert record_verdict(verdict_note(first)) is True
    assert dispatch() == 1

    first.refresh_from_db()
    waiting.refresh_from_db()
    assert (first.state, first.verdict, waiting.state) == (State.CANCELLED, "", State.SENT)


def test_a_broker_that_is_down_leaves_the_row_queued_and_uses_up_no_delivery(exercise, broker, judge):
    submission = _submit(exercise)
    broker.break_down()

    assert dispatch() == 0

    submission.refresh_from_db()
    assert (submission.state, submission.delivery, submission.ticket) == (State.QUEUED, 0, "")
    assert is_silent()

    broker.come_back()
    assert dispatch() == 1
    assert not is_silent()


def test_a_redis_that_is_down_costs_a_learner_seconds_at_most(exercise, judge, tmp_path):
    before = current_app._get_current_object()
    app = Celery("site with a dead Redis")
    app.conf.update(celery_options(f"redis://127.0.0.1:{free_port()}/0", tmp_path, side="site"))
    app.set_current()
    submission = _submit(exercise)
    started = time.monotonic()

    try:
        assert dispatch() == 0
    finally:
        before.set_current()

    submission.refresh_from_db()
    assert (submission.state, submission.delivery) == (State.QUEUED, 0)
    assert time.monotonic() - started < 3


def test_the_seed_stays_the_same_over_deliveries_and_the_ticket_does_not(exercise, broker, judge):
    submission = _submit(exercise)
    dispatch()
    submission.refresh_from_db()
    seed, ticket = submission.seed, submission.ticket

    _expire(submission)
    put_right()
    dispatch()

    submission.refresh_from_db()
    assert (submission.seed, submission.delivery) == (seed, 2)
    assert submission.ticket != ticket


def test_an_expired_lease_returns_the_row_to_the_queue_once_and_forgets_its_progress(exercise, broker, judge):
    submission = _submit(exercise)
    dispatch()
    submission.refresh_from_db()
    record_progress(progress_note(submission, check_report("values")))
    _expire(submission)

    assert [requeue_expired(), requeue_expired()] == [1, 0]

    submission.refresh_from_db()
    assert (submission.state, submission.ticket, submission.lease_until) == (State.QUEUED, "", None)
    assert not submission.results.exists()


def test_a_lease_that_still_runs_is_left_alone(exercise, broker, judge):
    _submit(exercise)
    dispatch()

    assert requeue_expired() == 0


def test_a_row_that_is_claimed_while_leases_are_looked_at_is_left_alone(exercise, broker, judge):
    """The database answers when it can, about leases that others gave after the clock was read here."""
    submission = _submit(exercise)
    dispatch()
    submission.refresh_from_db()
    Submission.objects.update(lease_until=submission.lease_until + timedelta(seconds=5))

    assert requeue_expired() == 0


def test_after_three_deliveries_a_row_ends_as_the_operators_fault_and_charges_nothing(exercise, broker, judge):
    submission = _submit(exercise)
    for _ in range(MAX_DELIVERIES):
        dispatch()
        _expire(submission)
        put_right()

    submission.refresh_from_db()
    assert (submission.state, submission.delivery) == (State.FINISHED, 3)
    assert (submission.verdict, submission.fault_of, submission.mark) == ("operator", "operator", None)
    assert not Submission.objects.counted().exists()
    assert len(broker.orders()) == 3


def test_a_row_whose_exercise_left_the_course_ends_as_the_authors_fault(exercise, broker, judge):
    submission = _submit(exercise)
    Submission.objects.update(exercise="gone")

    put_right()

    submission.refresh_from_db()
    assert (submission.state, submission.fault_of) == (State.FINISHED, "author")


@pytest.mark.django_db(transaction=True)
def test_dispatchers_that_run_at_once_never_send_one_row_twice_nor_too_many(exercise, broker, course, settings):
    for number in range(3):
        make_judge(name=f"judge-{number}")
    for _ in range(20):
        _insert_queued(exercise)
    start = threading.Barrier(4)
    failures: list[BaseException] = []

    def run_dispatcher() -> None:
        try:
            start.wait()
            for _ in range(5):
                dispatch()
        except BaseException as failure:
            failures.append(failure)
        finally:
            connection.close()

    threads = [threading.Thread(target=run_dispatcher) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    sent = [order["submission"] for order in broker.orders()]
    assert failures == []
    assert len(sent) == len(set(sent)) == 2 * JudgeHost.objects.count()


def _insert_queued(exercise) -> None:
    Submission.objects.create(
        user=make_user(), exercise="double", exercise_digest=exercise.digest, kind=Kind.RUN, number=1, source=SOLUTION
    )


def test_a_clock_that_is_set_back_keeps_no_lost_row_out(exercise, broker, judge, time_machine):
    """A row that its judge lost would wait for the hour to come round again."""
    submission = _submit(exercise)
    dispatch()

    time_machine.move_to(timezone.now() - timedelta(hours=1))

    assert not JudgeHost.objects.alive().exists()
    put_right()
    submission.refresh_from_db()
    assert (submission.state, submission.delivery) == (State.QUEUED, 1)
    JudgeHost.objects.update(seen_at=timezone.now())
    dispatch()
    submission.refresh_from_db()
    assert (submission.state, submission.delivery) == (State.SENT, 2)
