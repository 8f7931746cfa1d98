"""How a cohort's programs do in one exercise: the checks they pass, what they are diagnosed with, what has no name.

Only submits whose verdict is the learner's own doing count. Checks and diagnoses are those of each learner's latest.
"""

import difflib
import json
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Max, OuterRef, QuerySet, Subquery, TextField
from django.db.models.functions import Cast

from courseware.accounts.models import Cohort, Enrolment
from courseware.concepts.course import current
from courseware.results.cohorts import CohortStanding
from courseware.results.marks import is_stuck
from grader.exercises import Exercise
from grader.models import CheckResult, Submission, SubmissionQuerySet
from grader.verdicts import CheckOutcome, Outcome

_UNMATCHED_VERDICTS = (Outcome.WRONG.value, Outcome.FRAGILE.value)
GROUPS_SHOWN = 12  # of behaviours without a name; the next misconception to name is among the largest
EXAMPLES_SHOWN = 4  # programs of a group to read side by side


@dataclass(frozen=True)
class ExerciseLine:
    """One exercise in the list of all."""

    exercise: Exercise
    begun: int
    passed: int
    stuck: int


@dataclass(frozen=True)
class CheckLine:
    """One check, over the latest submission of each learner."""

    title: str
    holds: int
    reached: int

    @property
    def percent(self) -> int:
        return round(100 * self.holds / self.reached) if self.reached else 0


@dataclass(frozen=True)
class DiagnosisLine:
    """One known rule that programs follow."""

    id: str
    label: str
    is_belief: bool  # else a slip
    learners: int
    submissions: int


@dataclass(frozen=True)
class Behaviour:
    """Programs that behave alike and match no known rule."""

    signature: str
    learners: int
    submissions: int
    failing: tuple[str, ...]  # titles of the checks that fail
    examples: tuple[tuple[uuid.UUID, int], ...]  # submissions to read, each with its number


@dataclass(frozen=True)
class Programs:
    exercise: Exercise
    learners: int  # with a submission that counts
    passed: int
    submissions: int
    checks: tuple[CheckLine, ...]
    diagnoses: tuple[DiagnosisLine, ...]
    unmatched: int  # submissions
    behaviours: tuple[Behaviour, ...]


@dataclass(frozen=True)
class DiffLine:
    sign: str  # "+", "−" or ""
    text: str


def exercise_lines(standing: CohortStanding) -> tuple[ExerciseLine, ...]:
    """Return how many of those who learn here now have begun and passed each exercise, and where they are stuck."""
    lines, active = [], [standing.of(each) for each in standing.active]
    for at, exercise in enumerate(standing.exercises):
        stands = [each.exercises[at] for each in active]
        lines.append(
            ExerciseLine(
                exercise=exercise,
                begun=sum(bool(each.submits) for each in stands),
                passed=sum(each.is_right for each in stands),
                stuck=sum(map(is_stuck, stands)),
            )
        )
    return tuple(lines)


def programs_of(cohort: Cohort, exercise: Exercise) -> Programs:
    """Return what a cohort's programs show in one exercise."""
    learners = Enrolment.objects.active().learners().filter(cohort=cohort).values("user")
    counted = Submission.objects.counted().filter(user__in=learners, exercise=exercise.slug)
    rows = list(
        counted.annotate(ideas=Cast("misconception_ids", TextField()))
        .order_by("number")
        .values_list("pk", "user", "number", "verdict", "ideas", "behaviour_signature")
    )
    diagnosed: dict[str, list[int]] = {}
    unmatched: dict[str, list[tuple[uuid.UUID, int, int]]] = {}
    for pk, user, number, verdict, ideas, signature in rows:
        for idea in json.loads(ideas):
            diagnosed.setdefault(idea, []).append(user)
        if ideas == "[]" and verdict in _UNMATCHED_VERDICTS:
            unmatched.setdefault(signature, []).append((pk, user, number))
    return Programs(
        exercise=exercise,
        learners=len({user for _, user, *_ in rows}),
        passed=len({user for _, user, _, verdict, *_ in rows if verdict == Outcome.RIGHT.value}),
        submissions=len(rows),
        checks=_checks(counted, exercise),
        diagnoses=_diagnoses(diagnosed),
        unmatched=sum(map(len, unmatched.values())),
        behaviours=_behaviours(unmatched),
    )


def difference(submission: Submission) -> tuple[int, tuple[DiffLine, ...]] | None:
    """Return the number of the submission before, and what changed since; None for the first."""
    before = (
        Submission.objects.filter(
            user=submission.user_id, exercise=submission.exercise, kind=submission.kind, number__lt=submission.number
        )
        .order_by("-number")
        .first()
    )
    if before is None:
        return None
    lines = difflib.unified_diff(before.source.splitlines(), submission.source.splitlines(), lineterm="", n=3)
    signs = {"+": "+", "-": "−"}
    shown = [DiffLine(signs.get(line[0], ""), line[1:]) for line in lines if not line.startswith(("---", "+++", "@@"))]
    return before.number, tuple(shown)


def _checks(counted: SubmissionQuerySet, exercise: Exercise) -> tuple[CheckLine, ...]:
    latest = counted.filter(user=OuterRef("user")).order_by().values("user").annotate(last=Max("number")).values("last")
    mine = counted.filter(number=Subquery(latest))
    found: QuerySet[CheckResult, Any] = (
        CheckResult.objects.filter(submission__in=mine.values("pk"), is_example=False)
        .order_by()
        .values("check_id", "outcome")
        .annotate(count=Count("pk"))
        .values_list("check_id", "outcome", "count")
    )
    counts: Mapping[str, Counter[str]] = {check.id: Counter() for check in exercise.checks}
    for check, outcome, count in found:
        if check in counts:  # a check may have left the exercise since
            counts[check][outcome] += count
    return tuple(
        CheckLine(
            title=check.title,
            holds=counts[check.id][CheckOutcome.HOLDS.value],
            reached=counts[check.id].total() - counts[check.id][CheckOutcome.NOT_REACHED.value],
        )
        for check in exercise.checks
    )


def _diagnoses(diagnosed: Mapping[str, Sequence[int]]) -> tuple[DiagnosisLine, ...]:
    lines = [
        DiagnosisLine(idea, current().label(idea), idea in current().misconceptions, len(set(users)), len(users))
        for idea, users in diagnosed.items()
    ]
    return tuple(sorted(lines, key=lambda line: (-line.learners, -line.submissions, line.id)))


def _behaviours(unmatched: Mapping[str, Sequence[tuple[uuid.UUID, int, int]]]) -> tuple[Behaviour, ...]:
    largest = sorted(
        unmatched.items(), key=lambda item: (-len({user for _, user, _ in item[1]}), -len(item[1]), item[0])
    )
    shown = largest[:GROUPS_SHOWN]
    failing: dict[uuid.UUID, list[str]] = {}
    newest = [members[-1][0] for _, members in shown]
    fails = CheckResult.objects.filter(submission__in=newest, is_example=False, outcome=CheckOutcome.FAILS.value)
    for submission, title in fails.order_by("position").values_list("submission", F("title")):
        failing.setdefault(submission, []).append(title)
    return tuple(
        Behaviour(
            signature=signature,
            learners=len({user for _, user, _ in members}),
            submissions=len(members),
            failing=tuple(failing.get(members[-1][0], ())),
            examples=tuple((pk, number) for pk, _, number in members[-EXAMPLES_SHOWN:]),
        )
        for signature, members in shown
    )
