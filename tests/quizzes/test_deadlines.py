from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from quizzes import sittings
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
