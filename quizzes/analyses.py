"""Keeps the analysis of a test, and tells whether what it was worked out from is still all that there is."""

import hashlib
from collections.abc import Mapping
from typing import Any

from django.db.models import Count, F, Max, QuerySet, Sum

from courseware.accounts.models import Cohort, Role
from quizzes.models import Assignment, ItemAnalysis, Sitting


def analysed(assignment: Assignment) -> QuerySet[Sitting]:
    """Return the sittings that an analysis is about: the first of each learner, once it has ended.

    A second attempt comes after the explanations of the first, so it says little about a question.
    """
    return _first_and_ended().filter(assignment=assignment)


def analysed_in(cohort: Cohort) -> Mapping[int, int]:
    """Return how many sittings there are to analyse in each test of a cohort that has some, by the test's key."""
    found = _first_and_ended().filter(assignment__cohort=cohort).order_by().values("assignment")
    return dict(found.annotate(papers=Count("pk")).values_list("assignment", "papers"))


def _first_and_ended() -> QuerySet[Sitting]:
    return Sitting.objects.closed().filter(attempt=1, enrolment__role=Role.LEARNER)


def digest_of_responses(assignment: Assignment) -> str:
    """Return a digest that changes when somebody hands in, is marked anew, or stops being a learner."""
    # Responses are final once a sitting has ended, so what its marks add up to tells a marking from another.
    figures = analysed(assignment).aggregate(
        count=Count("pk"), last=Max("closed_at"), marks=Sum(F("mark") + F("taken_off")), kept=Sum("mark")
    )
    return hashlib.sha256(repr(sorted(figures.items())).encode()).hexdigest()


def stored(assignment: Assignment, digest: str) -> ItemAnalysis | None:
    """Return the stored analysis if it is of these responses."""
    return ItemAnalysis.objects.filter(assignment=assignment, responses_digest=digest).first()


def keep(assignment: Assignment, digest: str, body: Mapping[str, Any]) -> None:
    """Store an analysis in place of an earlier one."""
    ItemAnalysis.objects.filter(assignment=assignment).exclude(responses_digest=digest).delete()
    # Of two readers at once the second finds the first one's row, which says the same.
    ItemAnalysis.objects.bulk_create(
        [ItemAnalysis(assignment=assignment, responses_digest=digest, body=dict(body))], ignore_conflicts=True
    )
