"""Tells cheaply whether anything that makes up a cohort's marks has changed since they were last worked out."""

from collections.abc import Iterable

from django.db.models import Count, Max, Q, Sum

from courseware.accounts.models import Cohort
from courseware.concepts.course import current
from grader.catalogue import current_exercises
from grader.models import LIVE, Kind, Submission, SubmissionMarkOverride
from quizzes.models import Assignment, Sitting, SittingMarkOverride

State = tuple[object, ...]


def state_of(cohort: Cohort, assignments: Iterable[Assignment]) -> State:
    """Return a value that is another one after any start, end, submission, verdict or mark by hand.

    Everything that changes a mark moves a count, a sum or the latest instant of its kind; two changes by hand that
    leave the sums alone still are two more changes.
    """
    learners = cohort.enrolments.learners()
    sittings = Sitting.objects.filter(assignment__cohort=cohort).aggregate(
        Count("pk"), Count("closed_at"), Max("opened_at"), Max("closed_at"), Sum("mark"), Sum("taken_off")
    )
    submissions = Submission.objects.filter(user__in=learners.values("user"), kind=Kind.SUBMIT).aggregate(
        Count("pk"), Max("queued_at"), Max("finished_at"), Sum("mark"), live=Count("pk", filter=Q(state__in=LIVE))
    )
    by_hand = (
        SittingMarkOverride.objects.filter(sitting__assignment__cohort=cohort).count(),
        SubmissionMarkOverride.objects.filter(submission__user__in=learners.values("user")).count(),
    )
    return (
        cohort.created_at,  # a key may be given again where a database was filled anew
        tuple((each.pk, each.counts) for each in assignments),
        tuple((each.slug, each.marks) for each in current_exercises().values()),
        current().module.grade,
        *sittings.values(),
        *submissions.values(),
        *by_hand,
    )
