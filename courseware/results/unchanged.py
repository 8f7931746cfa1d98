"""Tells cheaply whether anything that makes up a cohort's marks has changed since they were last worked out."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Aggregate, Count, DecimalField, Max, Q, QuerySet, Sum, Value

from courseware.accounts.models import Cohort
from courseware.concepts.course import current
from courseware.results.people import Person, learners
from courseware.statements import Given, Statement
from grader.catalogue import current_exercises
from grader.models import LIVE, Kind, Submission, SubmissionMarkOverride
from quizzes.models import Assignment, Sitting, SittingMarkOverride

State = tuple[object, ...]


def figures_of(rows: "QuerySet[Any, Any]", **figures: Aggregate | Value) -> "QuerySet[Any, State]":
    """Return these figures of all rows as a query set, as a statement wants one; without a row it has none."""
    one = rows.order_by().annotate(all_rows=Value(1)).values("all_rows")
    found: QuerySet[Any, State] = one.annotate(**figures).values_list(*figures)
    return found


_STATE: Statement[State] = Statement(
    lambda: figures_of(
        Sitting.objects.filter(assignment__cohort=Given("cohort", int)),
        of=Value("sittings"),
        count=Count("pk"),
        ended=Count("closed_at"),
        last_begun=Max("opened_at"),
        last_ended=Max("closed_at"),
        marks=Sum("mark"),
        off=Sum("taken_off"),
    ).union(
        figures_of(
            Submission.objects.filter(user__in=learners().values("user"), kind=Kind.SUBMIT),
            of=Value("submissions"),
            count=Count("user"),
            ended=Count("user", filter=~Q(state__in=LIVE)),
            last_begun=Max("queued_at"),
            last_ended=Max("finished_at"),
            marks=Sum("mark"),
            off=Value(None, output_field=DecimalField()),
        ),
        _by_hand("of sittings", SittingMarkOverride.objects.all()),
        _by_hand("of submissions", SubmissionMarkOverride.objects.all()),
        all=True,
    )
)


def _by_hand(of: str, changes: "QuerySet[Any, Any]") -> "QuerySet[Any, State]":
    last, none = Max("at"), Value(None, output_field=DecimalField())
    return figures_of(
        changes,
        of=Value(of),
        count=Count("pk"),
        ended=Count("pk"),
        last_begun=last,
        last_ended=last,
        marks=none,
        off=none,
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
        frozenset(_STATE.rows(cohort=cohort.pk)),
    )
