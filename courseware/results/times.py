"""How much time learners have in the tests of a cohort, and how far they are. Reads only."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from courseware.accounts.models import Enrolment
from quizzes.accommodations import extras
from quizzes.models import Assignment, Extension, Sitting
from quizzes.moments import deadline, moment
from quizzes.timing import Limits


@dataclass(frozen=True)
class LearnerTime:
    """One learner and one test."""

    assignment: Assignment
    enrolment: Enrolment
    limits: Limits
    given: int  # extensions so far
    shape: str
    line: str  # how far they are, as a sentence


def times(assignments: Sequence[Assignment], enrolments: Sequence[Enrolment]) -> tuple[LearnerTime, ...]:
    """Return the time of each of these learners in each of these tests, in the order given."""
    allowed = extras(each.pk for each in enrolments)
    given: dict[tuple[int, int], int] = defaultdict(int)
    for key in Extension.objects.filter(enrolment__in=enrolments).values_list("enrolment", "assignment"):
        given[key] += 1
    latest = {
        (each.enrolment_id, each.assignment_id): each
        for each in Sitting.objects.filter(enrolment__in=enrolments, assignment__in=assignments).order_by("attempt")
    }
    found = []
    for enrolment in enrolments:
        for assignment in assignments:
            key = enrolment.pk, assignment.pk
            sitting = latest.get(key)
            found.append(
                LearnerTime(
                    assignment=assignment,
                    enrolment=enrolment,
                    limits=allowed.limits(assignment, enrolment.pk),
                    given=given[key],
                    shape=_shape(sitting),
                    line=_line(assignment, sitting),
                )
            )
    return tuple(found)


def _shape(sitting: Sitting | None) -> str:
    if sitting is None:
        return "open"
    return "tick" if sitting.is_closed else "begun"


def _line(assignment: Assignment, sitting: Sitting | None) -> str:
    zone = assignment.zone
    if sitting is None:
        return "Not begun."
    if sitting.closed_at is not None:
        return f"Attempt {sitting.attempt} ended {moment(sitting.closed_at, zone)}."
    ends = f"and ends {deadline(sitting.deadline_at, zone)}" if sitting.deadline_at else "and has no time limit"
    return f"Attempt {sitting.attempt} began {moment(sitting.opened_at, zone)} {ends}."
