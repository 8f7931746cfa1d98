"""Opens a sitting: checks that its learner may, draws the paper and keeps what was drawn."""

import secrets
import uuid
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from courseware.accounts.models import Enrolment, Role
from courseware.statements import Change, Given, OneForEach, Statement
from quizzes import snapshots
from quizzes.accommodations import extras_of
from quizzes.catalogue import current_bank
from quizzes.closing import close, locked
from quizzes.event_log import note
from quizzes.models import Assignment, ClosedBy, EventKind, Response, Sitting, Slot
from quizzes.moments import deadline
from quizzes.outcomes import Refusal, RefusalReason
from quizzes.paper import draw_paper
from quizzes.timing import Limits, is_over

_LOCK: Statement[int] = Statement(
    lambda: Enrolment.objects.select_for_update().filter(pk=Given("enrolment", int)).values_list("pk", flat=True)
)
_EARLIER: Statement[Sitting] = Statement(
    lambda: Sitting.objects.filter(assignment=Given("assignment", int), enrolment=Given("enrolment", int))
)
# What differs from one new sitting to the next.
_GIVEN: dict[str, type] = {
    "id": uuid.UUID,
    "assignment_id": int,
    "enrolment_id": int,
    "attempt": int,
    "seed": str,
    "opened_at": datetime,
    "deadline_at": datetime,
    "on_time_until": datetime,
    "out_of": Decimal,
}
_SITTING = Change(lambda: [Sitting(**{name: Given(name, kind) for name, kind in _GIVEN.items()})])
_RESPONSES = Change(
    lambda: OneForEach(Slot.objects.filter(sitting=Given("sitting", uuid.UUID)), Response(slot_id=F("pk")))
)


@lru_cache
def _slots(count: int) -> Change:
    """Return the statement that inserts so many slots of one paper."""
    return Change(
        lambda: [
            Slot(  # type: ignore[misc]  # that a UUID may be an expression too is unknown to the stubs
                sitting_id=Given("sitting", uuid.UUID),
                position=position,
                question_id=Given(f"question{position}", str),
                concept_id=Given(f"concept{position}", str),
                snapshot_id=Given(f"snapshot{position}", int),
                parameters=Given(f"parameters{position}", dict),
                option_order=Given(f"order{position}", dict),
                marks=Given(f"marks{position}", Decimal),
            )
            for position in range(1, count + 1)
        ]
    )


def open_sitting(enrolment: Enrolment, assignment: Assignment, *, seed: str | None = None) -> Sitting | Refusal:
    """Return the learner's open sitting of this test, a new one with a fresh paper if there is none.

    Errors:  ValueError if the test is another cohort's, which a caller must have ruled out
    """
    if assignment.cohort_id != enrolment.cohort_id:
        raise ValueError("the enrolment is not in the cohort of this assignment")
    now = timezone.now()
    with transaction.atomic():
        # The second of two clicks at once waits here, and then finds the first one's sitting.
        _LOCK.rows(enrolment=enrolment.pk)
        earlier = _EARLIER.rows(assignment=assignment.pk, enrolment=enrolment.pk)
        for sitting in earlier:
            if sitting.is_closed:
                continue
            if not is_over(sitting.deadline_at, now):
                return sitting
            close(locked(sitting.pk), ClosedBy.DEADLINE, now)
        attempt = 1 + len(earlier)
        limits = extras_of(enrolment.user_id).limits(assignment, enrolment.pk)
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
    sitting = Sitting(
        assignment=assignment,
        enrolment=enrolment,
        attempt=attempt,
        seed=seed,
        opened_at=now,
        deadline_at=limits.deadline(now),
        on_time_until=limits.closes_at,
        out_of=sum(line.marks for line in paper),
    )
    _SITTING.run(**{name: getattr(sitting, name) for name in _GIVEN})
    sitting._state.adding = False  # as Django itself says of a row that it has written
    given: dict[str, Any] = {"sitting": sitting.pk}
    for position, line in enumerate(paper, start=1):
        given |= {
            f"question{position}": line.question.id,
            f"concept{position}": line.question.concept_id,
            f"snapshot{position}": kept[line.question.id],
            f"parameters{position}": dict(line.variant.parameters),
            f"order{position}": list(line.variant.option_order),
            f"marks{position}": line.marks,
        }
    _slots(len(paper)).run(**given)
    _RESPONSES.run(sitting=sitting.pk)
    note(sitting, EventKind.OPENED, now)
    return sitting
