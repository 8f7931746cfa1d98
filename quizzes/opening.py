"""Opens a sitting: checks that its learner may, draws the paper and keeps what was drawn."""

import secrets
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from courseware.accounts.models import Enrolment, Role
from quizzes import snapshots
from quizzes.accommodations import extras
from quizzes.catalogue import current_bank
from quizzes.closing import close, locked
from quizzes.event_log import note
from quizzes.models import Assignment, ClosedBy, EventKind, Response, Sitting, Slot
from quizzes.moments import deadline
from quizzes.outcomes import Refusal, RefusalReason
from quizzes.paper import draw_paper
from quizzes.timing import Limits, is_over


def open_sitting(enrolment: Enrolment, assignment: Assignment, *, seed: str | None = None) -> Sitting | Refusal:
    """Return the learner's open sitting of this test, a new one with a fresh paper if there is none.

    Errors:  ValueError if the test is another cohort's, which a caller must have ruled out
    """
    if assignment.cohort_id != enrolment.cohort_id:
        raise ValueError("the enrolment is not in the cohort of this assignment")
    now = timezone.now()
    with transaction.atomic():
        # The second of two clicks at once waits here, and then finds the first one's sitting.
        Enrolment.objects.select_for_update().get(pk=enrolment.pk)
        for sitting in Sitting.objects.filter(assignment=assignment, enrolment=enrolment, closed_at=None):
            if not is_over(sitting.deadline_at, now):
                return sitting
            close(locked(sitting.pk), ClosedBy.DEADLINE, now)
        attempt = 1 + Sitting.objects.filter(assignment=assignment, enrolment=enrolment).count()
        limits = extras([enrolment.pk]).limits(assignment, enrolment.pk)
        refusal = _refusal(enrolment, assignment, attempt, limits, now)
        seed = seed or assignment.seed or secrets.token_hex(8)
        return refusal or _new(enrolment, assignment, attempt, limits, now, seed)


def _refusal(
    enrolment: Enrolment, assignment: Assignment, attempt: int, limits: Limits, now: datetime
) -> Refusal | None:
    zone = assignment.zone
    if enrolment.role != Role.LEARNER or enrolment.withdrawn_at is not None:
        return Refusal(RefusalReason.NOT_A_LEARNER, "Only learners of this cohort sit its tests.")
    if assignment.opens_at and now < assignment.opens_at:
        return Refusal(RefusalReason.NOT_YET_OPEN, f"This test opens on {deadline(assignment.opens_at, zone)}.")
    if limits.ends_at and now >= limits.ends_at:
        return Refusal(RefusalReason.NO_LONGER_OPEN, f"This test closed on {deadline(limits.ends_at, zone)}.")
    if attempt > limits.attempts:
        return Refusal(RefusalReason.NO_ATTEMPT_LEFT, "Every attempt at this test has been used.")
    if assignment.blueprint not in current_bank().blueprints:
        return Refusal(
            RefusalReason.NO_BLUEPRINT,
            "This test cannot be drawn, and that is ours to mend. No attempt was used; tell whoever runs the course.",
        )
    return None


def _new(
    enrolment: Enrolment, assignment: Assignment, attempt: int, limits: Limits, now: datetime, seed: str
) -> Sitting:
    bank = current_bank()
    paper = draw_paper(bank.blueprints[assignment.blueprint], bank.questions, seed)
    kept = snapshots.keep(line.question for line in paper)
    sitting = Sitting.objects.create(
        assignment=assignment,
        enrolment=enrolment,
        attempt=attempt,
        seed=seed,
        opened_at=now,
        deadline_at=limits.deadline(now),
        on_time_until=limits.closes_at,
        out_of=sum(line.marks for line in paper),
    )
    slots = Slot.objects.bulk_create(
        Slot(
            sitting=sitting,
            position=position,
            question_id=line.question.id,
            concept_id=line.question.concept_id,
            snapshot=kept[line.question.id],
            parameters=dict(line.variant.parameters),
            option_order=list(line.variant.option_order),
            marks=line.marks,
        )
        for position, line in enumerate(paper, start=1)
    )
    Response.objects.bulk_create(Response(slot=slot) for slot in slots)
    note(sitting, EventKind.OPENED, now)
    return sitting
