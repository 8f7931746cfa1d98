"""Tells cheaply whether anything that makes up a cohort's marks has changed since they were last worked out."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Aggregate, Count, Max, Q, QuerySet, Sum, Value

from courseware.accounts.models import Cohort
from courseware.concepts.course import current
from courseware.results.people import Person, learners
from courseware.statements import Given, Statement
from grader.catalogue import current_exercises
from grader.models import LIVE, Kind, Submission, SubmissionMarkOverride
from quizzes.models import Assignment, Sitting, SittingMarkOverride

State = tuple[object, ...]


def figures_of(rows: "QuerySet[Any, Any]", **figures: Aggregate) -> "QuerySet[Any, State]":
    """Return these figures of all rows as a query set, as a statement wants one; without a row it has none."""
    one = rows.order_by().annotate(all_rows=Value(1)).values("all_rows")
    found: QuerySet[Any, State] = one.annotate(**figures).values_list(*figures)
    return found


_SITTINGS: Statement[State] = Statement(
    lambda: figures_of(
        Sitting.objects.filter(assignment__cohort=Given("cohort", int)),
        count=Count("pk"),
        ended=Count("closed_at"),
        last_opened=Max("opened_at"),
        last_closed=Max("closed_at"),
        marks=Sum("mark"),
        off=Sum("taken_off"),
    )
)
_SUBMISSIONS: Statement[State] = Statement(
    lambda: figures_of(
        Submission.objects.filter(user__in=learners().values("user"), kind=Kind.SUBMIT),
        count=Count("user"),
        live=Count("user", filter=Q(state__in=LIVE)),
        last_queued=Max("queued_at"),
        last_ended=Max("finished_at"),
        marks=Sum("mark"),
    )
)
_BY_HAND: tuple[Statement[State], ...] = (
    Statement(lambda: figures_of(SittingMarkOverride.objects.all(), count=Count("pk"))),
    Statement(lambda: figures_of(SubmissionMarkOverride.objects.all(), count=Count("pk"))),
)


def state_of(cohort: Cohort, assignments: Iterable[Assignment], people: Iterable[Person]) -> State:
    """Return a value that is another one after any start, end, submission, verdict or mark by hand.

    Everything that changes a mark moves a count, a sum or the latest instant of its kind; two changes by hand that
    leave the sums alone still are two more changes. These are few, so that those of other cohorts may count too.
    """
    return (
        cohort.created_at,  # a key may be given again where a database was filled anew
        tuple((each.pk, each.counts) for each in assignments),
        tuple((each.slug, each.marks) for each in current_exercises().values()),
        current().module.grade,
        tuple((each.enrolment, each.is_active) for each in people),
        _SITTINGS.first(cohort=cohort.pk),
        _SUBMISSIONS.first(cohort=cohort.pk),
        *(each.first() for each in _BY_HAND),
    )
