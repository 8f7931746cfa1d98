"""Marks that are kept are never old: whatever changes one is seen on the next page."""

from decimal import Decimal

import pytest
from django.utils import timezone

from courseware.accounts.models import Cohort
from courseware.results.cohorts import standing_of
from grader.overrides import set_exercise_mark
from quizzes import sittings
from quizzes.models import Assignment
from quizzes.overrides import set_mark
from tests.access.cast import EXERCISE
from tests.factories import (
    make_assignment,
    make_cohort,
    make_finished,
    make_instructor,
    make_learner,
    make_sitting,
    make_submission,
)

pytestmark = pytest.mark.django_db


def _seen(cohort: Cohort):
    return [
        (
            enrolment,
            [(cell.mark, cell.is_open, cell.is_by_hand) for cell in marks.sittings],
            [(each.best_mark, each.is_live) for each in marks.exercises if each.submits],
            marks.grade,
        )
        for enrolment, marks in standing_of(cohort).marks.items()
    ]


def test_every_change_of_a_mark_is_seen_at_once():
    cohort = make_cohort()
    teacher, one, other = make_instructor(cohort), make_learner(cohort), make_learner(cohort)
    test = make_assignment(cohort, attempts=2, counts="last")
    first = sittings.hand_in(make_sitting(test, user=one).pk)
    done = sittings.hand_in(make_sitting(test, user=other).pk)
    set_mark(first.pk, Decimal(5), reason="Why", by=teacher)
    set_mark(done.pk, Decimal(6), reason="Why", by=teacher)

    def swap_marks():
        set_mark(first.pk, Decimal(6), reason="Why", by=teacher)
        set_mark(done.pk, Decimal(5), reason="Why", by=teacher)

    changes = [
        swap_marks,
        lambda: make_sitting(test, user=one),
        lambda: sittings.hand_in(one.enrolments.get().sittings.get(closed_at=None).pk),
        lambda: Assignment.objects.filter(pk=test.pk).update(counts="best"),
        lambda: make_submission(user=one),
        lambda: one.submissions.update(
            state="finished", verdict="wrong", fault_of="learner", mark=3, finished_at=timezone.now()
        ),
        lambda: make_finished(user=other, mark=3),
        lambda: set_exercise_mark(other, EXERCISE, Decimal(4), reason="Why", by=teacher, cohort=cohort),
        lambda: make_learner(cohort),
    ]
    seen = _seen(cohort)
    for change in changes:
        assert _seen(cohort) == seen
        change()
        before, seen = seen, _seen(cohort)
        assert seen != before
