"""Opens a sitting: checks that its learner may, draws the paper and keeps what was drawn."""

import secrets
import uuid
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.utils import timezone

from courseware.accounts.models import Enrolment, Role
from courseware.statements import Change, Given, Statement
from quizzes import paper_rows
from quizzes.accommodations import extras_of
from quizzes.catalogue import current_bank
from quizzes.closing import close, locked
from quizzes.event_log import note
from quizzes.models import Assignment, ClosedBy, EventKind, Sitting
from quizzes.moments import deadline
from quizzes.outcomes import Refusal, RefusalReason
from quizzes.paper import draw_paper, drawable
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
    blueprint = bank.blueprints[assignment.blueprint]
    paper = draw_paper(blueprint, bank.questions, seed)
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
    paper_rows.write(sitting, paper, drawable(blueprint, bank.questions))
    sitting.is_just_drawn = True
    note(sitting, EventKind.OPENED, now)
    return sitting
