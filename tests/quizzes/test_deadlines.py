from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from quizzes import sittings, tasks
from quizzes.models import ClosedBy, Sitting
from quizzes.sittings import Receipt, Refusal
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


def test_an_answer_in_time_counts_and_a_late_answer_is_refused():
    sitting = make_sitting(make_assignment(minutes=10))
    slot = slot_of(sitting, "single")
    with time_machine.travel(sitting.deadline_at - timedelta(seconds=1), tick=False):
        assert isinstance(sittings.record_answer(sitting.pk, slot.position, right_answer(slot), 0), Receipt)

    with time_machine.travel(sitting.deadline_at, tick=False):
        late = sittings.record_answer(sitting.pk, slot.position, wrong_answer(slot), 1)

    assert isinstance(late, Refusal)
    assert late.sentence.startswith("Time was up at")
    sitting.refresh_from_db()
    assert (sitting.closed_by, sitting.closed_at, sitting.mark) == (ClosedBy.DEADLINE, sitting.deadline_at, 1)


def test_handing_in_late_hands_in_what_was_saved_by_the_deadline():
    sitting = make_sitting(make_assignment(minutes=10))

    with time_machine.travel(sitting.deadline_at + timedelta(days=7)):
        closed = sittings.hand_in(sitting.pk)

    assert (closed.closed_by, closed.closed_at) == (ClosedBy.DEADLINE, sitting.deadline_at)


def test_an_overdue_sitting_does_not_block_the_next_attempt():
    sitting = make_sitting(make_assignment(minutes=10, attempts=2))

    with time_machine.travel(sitting.deadline_at + timedelta(seconds=1)):
        second = sittings.open_sitting(sitting.enrolment, sitting.assignment)

    assert isinstance(second, Sitting)
    assert second.attempt == 2


def test_what_is_overdue_is_closed_by_the_server_while_everybody_is_away():
    """The longest overdue first, so many at once, and nothing else."""
    first, second, third = (make_sitting(make_assignment(minutes=minutes)) for minutes in (10, 20, 30))
    untimed = make_sitting()

    with time_machine.travel(first.opened_at + timedelta(minutes=25)):
        closed = [sittings.close_due(at_most=1), sittings.close_due(at_most=5), sittings.close_due(at_most=5)]

    assert closed == [1, 1, 0]
    states = [Sitting.objects.get(pk=each.pk).closed_by for each in (first, second, third, untimed)]
    assert states == [ClosedBy.DEADLINE, ClosedBy.DEADLINE, "", ""]


def test_the_periodic_job_closes_what_is_overdue():
    sitting = make_sitting(make_assignment(minutes=10))

    with time_machine.travel(sitting.deadline_at + timedelta(seconds=1)):
        tasks.PERIODIC_TASKS["periodic.close_due_sittings"]()

    sitting.refresh_from_db()
    assert (sitting.closed_by, sitting.closed_at) == (ClosedBy.DEADLINE, sitting.deadline_at)


def test_staff_look_at_one_cohort_and_no_other_is_closed_by_that():
    here, elsewhere = (make_sitting(make_assignment(minutes=10)) for _ in range(2))

    with time_machine.travel(here.deadline_at + timedelta(minutes=1)):
        sittings.close_due_in(here.assignment.cohort)

    assert [Sitting.objects.get(pk=each.pk).is_closed for each in (here, elsewhere)] == [True, False]
