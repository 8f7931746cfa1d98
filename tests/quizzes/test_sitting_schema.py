import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from quizzes import sittings
from quizzes.models import Assignment, Event, Response, Sitting
from tests.factories import make_assignment, make_sitting

pytestmark = pytest.mark.django_db


def forbidden(change):
    with pytest.raises(IntegrityError), transaction.atomic():
        change()


def test_the_schema_forbids_two_open_sittings_of_one_test():
    sitting = make_sitting(make_assignment(attempts=3))
    fields = {"assignment": sitting.assignment, "enrolment": sitting.enrolment, "seed": "1", "out_of": 9}

    forbidden(lambda: Sitting.objects.create(attempt=2, opened_at=timezone.now(), **fields))
    sittings.hand_in(sitting.pk)
    forbidden(lambda: Sitting.objects.create(attempt=1, opened_at=timezone.now(), **fields))


def test_the_schema_forbids_a_half_closed_sitting_and_a_mark_out_of_bounds():
    sitting = make_sitting()
    mine = Sitting.objects.filter(pk=sitting.pk)

    forbidden(lambda: mine.update(closed_at=timezone.now()))
    forbidden(lambda: mine.update(mark=1))
    forbidden(lambda: mine.update(closed_at=timezone.now(), closed_by="learner", mark=10))
    forbidden(lambda: mine.update(deadline_at=sitting.opened_at))


def test_the_schema_forbids_a_mark_without_its_source_and_an_answer_without_its_time():
    response = Response.objects.filter(slot__sitting=make_sitting())

    forbidden(lambda: response.update(mark=1))
    forbidden(lambda: response.update(answer=["a"]))
    forbidden(lambda: Assignment.objects.update(attempts=0))


def test_the_database_itself_refuses_to_change_what_was_received():
    make_sitting()

    forbidden(lambda: Event.objects.update(at=timezone.now()))


def test_the_schema_forbids_a_late_period_without_a_closing_time_or_before_it():
    now = timezone.now()
    make_assignment()

    forbidden(lambda: Assignment.objects.update(late_until=now))
    forbidden(lambda: Assignment.objects.update(closes_at=now, late_until=now))
    forbidden(lambda: Assignment.objects.update(late_percent_per_day=101))
