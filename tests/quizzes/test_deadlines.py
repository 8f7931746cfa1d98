from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from quizzes import closing, opening, sittings, tasks
from quizzes.models import ClosedBy, Sitting
from quizzes.outcomes import Receipt, Refusal
from quizzes.timing import GRACE
from tests.factories import make_assignment, make_sitting
from tests.quizzes.answering import right_answer, slot_of, wrong_answer

pytestmark = pytest.mark.django_db


def test_without_limits_there_is_no_deadline():
    assert make_sitting().deadline_at is None


def test_the_nearer_of_both_limits_is_the_deadline():
    closes = timezone.now() + timedelta(minutes=10)

    assert make_sitting(make_assignment(minutes=60, closes_at=closes)).deadline_at == closes
    sitting = make_sitting(make_assignment(minutes=5, closes_at=closes))
    assert sitting.deadline_at == sitting.opened_at + timedelta(minutes=5)


@pytest.mark.parametrize(("seconds", "taken"), [(-1, True), (0, True), (1, True), (29, True), (30, False), (31, False)])
def test_the_time_of_arrival_decides_with_one_grace_for_what_was_on_its_way(seconds, taken):
    """What comes too late is refused, and what was saved before counts all the same."""
    sitting = make_sitting(make_assignment(minutes=10))
    slot, other = list(sitting.slots.select_related("snapshot"))[:2]
    sittings.record_answer(sitting.pk, slot.position, right_answer(slot), 0)

    with time_machine.travel(sitting.deadline_at + timedelta(seconds=seconds), tick=False):
        outcome = sittings.record_answer(sitting.pk, other.position, right_answer(other), 0)
    with time_machine.travel(sitting.deadline_at + GRACE, tick=False):
        closed = closing.close_if_due(sitting)

    assert isinstance(outcome, Receipt) is taken
    if not taken:
        assert outcome.sentence.startswith("Time was up at")
        assert outcome.sentence.endswith("What was saved by then was handed in.")
    assert (closed.closed_by, closed.closed_at) == (ClosedBy.DEADLINE, sitting.deadline_at)
    assert closed.mark == (2 if taken else 1)


def test_a_refused_late_answer_closes_the_sitting_with_what_was_saved():
    sitting = make_sitting(make_assignment(minutes=10))
    slot = slot_of(sitting, "single")
    sittings.record_answer(sitting.pk, slot.position, right_answer(slot), 0)

    with time_machine.travel(sitting.deadline_at + timedelta(hours=1), tick=False):
        late = sittings.record_answer(sitting.pk, slot.position, wrong_answer(slot), 1)

    assert isinstance(late, Refusal)
    sitting.refresh_from_db()
    assert (sitting.closed_by, sitting.closed_at, sitting.mark) == (ClosedBy.DEADLINE, sitting.deadline_at, 1)


@pytest.mark.parametrize(("seconds", "by"), [(-1, ClosedBy.LEARNER), (29, ClosedBy.LEARNER), (30, ClosedBy.DEADLINE)])
def test_handing_in_at_the_last_second_ends_no_later_than_the_limit(seconds, by):
    sitting = make_sitting(make_assignment(minutes=10))
    now = sitting.deadline_at + timedelta(seconds=seconds)

    with time_machine.travel(now, tick=False):
        closed = sittings.hand_in(sitting.pk)

    assert (closed.closed_by, closed.closed_at) == (by, min(now, sitting.deadline_at))


def test_handing_in_late_hands_in_what_was_saved_by_the_deadline():
    sitting = make_sitting(make_assignment(minutes=10))

    with time_machine.travel(sitting.deadline_at + timedelta(days=7)):
        closed = sittings.hand_in(sitting.pk)

    assert (closed.closed_by, closed.closed_at) == (ClosedBy.DEADLINE, sitting.deadline_at)


def test_an_overdue_sitting_does_not_block_the_next_attempt():
    sitting = make_sitting(make_assignment(minutes=10, attempts=2))

    with time_machine.travel(sitting.deadline_at + GRACE):
        second = opening.open_sitting(sitting.enrolment, sitting.assignment)

    assert isinstance(second, Sitting)
    assert second.attempt == 2


def test_what_is_overdue_is_closed_by_the_server_while_everybody_is_away():
    """The longest overdue first, so many at once, and nothing else."""
    first, second, third = (make_sitting(make_assignment(minutes=minutes)) for minutes in (10, 20, 30))
    untimed = make_sitting()

    with time_machine.travel(first.opened_at + timedelta(minutes=25)):
        closed = [closing.close_due(at_most=1), closing.close_due(at_most=5), closing.close_due(at_most=5)]

    assert closed == [1, 1, 0]
    states = [Sitting.objects.get(pk=each.pk).closed_by for each in (first, second, third, untimed)]
    assert states == [ClosedBy.DEADLINE, ClosedBy.DEADLINE, "", ""]


def test_the_periodic_job_closes_what_is_overdue():
    sitting = make_sitting(make_assignment(minutes=10))

    with time_machine.travel(sitting.deadline_at + GRACE):
        tasks.PERIODIC_TASKS["periodic.close_due_sittings"]()

    sitting.refresh_from_db()
    assert (sitting.closed_by, sitting.closed_at) == (ClosedBy.DEADLINE, sitting.deadline_at)


def test_staff_look_at_one_cohort_and_no_other_is_closed_by_that():
    here, elsewhere = (make_sitting(make_assignment(minutes=10)) for _ in range(2))

    with time_machine.travel(here.deadline_at + timedelta(minutes=1)):
        closing.close_due_in(here.assignment.cohort)

    assert [Sitting.objects.get(pk=each.pk).is_closed for each in (here, elsewhere)] == [True, False]
