"""How people stand in exercises: the best submit counts, runs never do."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Max, Q, QuerySet

from courseware.accounts.models import Cohort, Enrolment, User
from courseware.statements import Given, Statement
from grader.models import COUNTED, LIVE, Kind, Submission, SubmissionQuerySet
from grader.verdicts import Outcome


@dataclass(frozen=True)
class Standing:
    """One learner in one exercise."""

    submits: int  # that were not taken back
    best_mark: Decimal | None  # None while nothing was marked
    is_right: bool  # some submit held every check
    is_live: bool  # one is waiting or being graded


NOT_BEGUN = Standing(submits=0, best_mark=None, is_right=False, is_live=False)


def standings_in(cohort: Cohort) -> Mapping[tuple[int, str], Standing]:
    """Return the standing of each (user id, exercise slug) in which a learner of the cohort has a submit."""
    return {(row[0], row[1]): _standing(row) for row in _OF_LEARNERS.rows(cohort=cohort.pk)}


def standings_of(user: User) -> Mapping[str, Standing]:
    """Return one person's standing in each exercise, by slug, that has a submit."""
    return {row[1]: _standing(row) for row in _OF_ONE.rows(user=user.pk)}


def standing_in(user: User, exercise: str) -> Standing:
    """Return one person's standing in one exercise."""
    row = _IN_ONE.first(user=user.pk, exercise=exercise)
    return NOT_BEGUN if row is None else _standing(row)


_Row = tuple[int, str, int, Decimal | None, int, int]


def _standing(row: _Row) -> Standing:
    _, _, submits, best_mark, right, live = row
    return Standing(submits, best_mark, is_right=bool(right), is_live=bool(live))


def _rows(submissions: SubmissionQuerySet) -> QuerySet[Submission, _Row]:
    return (
        submissions.filter(kind=Kind.SUBMIT)
        .values_list("user", "exercise")
        .annotate(
            submits=Count("user", filter=COUNTED | Q(state__in=LIVE)),
            best_mark=Max("mark", filter=COUNTED),
            right=Count("user", filter=COUNTED & Q(verdict=Outcome.RIGHT.value)),
            live=Count("user", filter=Q(state__in=LIVE)),
        )
        .order_by()
    )


_OF_LEARNERS = Statement(
    lambda: _rows(
        Submission.objects.filter(
            user__in=Enrolment.objects.learners().filter(cohort=Given("cohort", int)).values("user")
        )
    )
)
_OF_ONE = Statement(lambda: _rows(Submission.objects.filter(user=Given("user", int))))
_IN_ONE = Statement(lambda: _rows(Submission.objects.filter(user=Given("user", int), exercise=Given("exercise", str))))
