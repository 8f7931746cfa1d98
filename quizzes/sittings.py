"""Verbs of a sitting: open it, record an answer, flag a question, hand it in, close it at its deadline.

Every verb is safe to run twice. A refusal is returned, never raised, and says in a sentence what the learner can do.
The row of the sitting is locked first by each of them, so that no answer is saved after the marks were counted.
"""

import logging
import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from courseware.accounts.models import Cohort, Enrolment, Role, User
from quizzes import marking, snapshots
from quizzes.catalogue import current_bank
from quizzes.models import Assignment, ClosedBy, Event, EventKind, Response, Sitting, Slot
from quizzes.moments import clock, deadline
from quizzes.paper import draw_paper
from quizzes.questions import Answer

logger = logging.getLogger(__name__)


# Two a second for a whole minute: nobody answers so fast, and each change is a row that stays.
CHANGES_PER_MINUTE = 120


class RefusalReason(Enum):
    NOT_YET_OPEN = "not yet open"
    NO_LONGER_OPEN = "no longer open"
    NO_ATTEMPT_LEFT = "no attempt left"
    NOT_A_LEARNER = "not a learner here"
    NO_BLUEPRINT = "no blueprint"
    CLOSED = "closed"
    STALE = "stale"
    TOO_FAST = "too fast"


@dataclass(frozen=True)
class Refusal:
    """Why nothing was changed, as a whole sentence for the learner."""

    reason: RefusalReason
    sentence: str


@dataclass(frozen=True)
class Receipt:
    """What the server holds for one question, and since when."""

    revision: int
    answer: Answer | None
    saved_at: datetime | None


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
            if not _is_due(sitting, now):
                return sitting
            _close(sitting, ClosedBy.DEADLINE, now)
        attempt = 1 + Sitting.objects.filter(assignment=assignment, enrolment=enrolment).count()
        refusal = _refusal_to_open(enrolment, assignment, attempt, now)
        return refusal or _new_sitting(enrolment, assignment, attempt, now, seed or secrets.token_hex(8))


def record_answer(sitting_id: uuid.UUID, position: int, answer: Answer | None, revision: int) -> Receipt | Refusal:
    """Return the receipt of an answer that is now saved; None leaves the question open again.

    `revision` is that of the receipt which the sender last saw. An answer that is already saved is confirmed
    whatever the revision, so that a save sent twice is one; another answer on an older revision is refused, since it
    comes from a page that does not know of the newer one.

    Errors:  Sitting.DoesNotExist or Response.DoesNotExist if there is no such sitting or question
    """
    now = timezone.now()
    with transaction.atomic():
        sitting = _locked(sitting_id)
        refusal = _refusal_to_change(sitting, now)
        if refusal:
            return refusal
        response = Response.objects.select_related("slot").get(slot__sitting=sitting, slot__position=position)
        if response.given == answer:
            return _receipt(response)
        if response.revision != revision:
            return _stale(sitting, response, answer, now)
        parts = None if answer is None else list(answer.parts)
        Response.objects.filter(pk=response.pk, revision=revision).update(
            revision=F("revision") + 1, answer=parts, saved_at=now
        )
        _note(sitting, EventKind.SAVED, now, response.slot, {"revision": revision + 1, "answer": parts})
        return Receipt(revision=revision + 1, answer=answer, saved_at=now)


def flag(sitting_id: uuid.UUID, position: int, *, flagged: bool) -> Refusal | None:
    """Mark a question to look at again, or take the mark away; None when it is so now.

    Errors:  Sitting.DoesNotExist or Slot.DoesNotExist if there is no such sitting or question
    """
    now = timezone.now()
    with transaction.atomic():
        sitting = _locked(sitting_id)
        refusal = _refusal_to_change(sitting, now)
        if refusal:
            return refusal
        slot = sitting.slots.get(position=position)
        if sitting.slots.filter(pk=slot.pk, flagged=not flagged).update(flagged=flagged):
            _note(sitting, EventKind.FLAGGED if flagged else EventKind.UNFLAGGED, now, slot)
        return None


def hand_in(sitting_id: uuid.UUID) -> Sitting:
    """Return the sitting, closed and marked; one that was closed before stays as it was.

    Errors:  Sitting.DoesNotExist if there is no such sitting
    """
    now = timezone.now()
    with transaction.atomic():
        sitting = _locked(sitting_id)
        if not sitting.is_closed:
            _close(sitting, ClosedBy.DEADLINE if _is_due(sitting, now) else ClosedBy.LEARNER, now)
        return sitting


def close_if_due(sitting: Sitting) -> Sitting:
    """Return the sitting, closed by the server if its deadline has passed while nobody was there."""
    now = timezone.now()
    if sitting.is_closed or not _is_due(sitting, now):
        return sitting
    with transaction.atomic():
        locked = _locked(sitting.pk)
        if not locked.is_closed:
            _close(locked, ClosedBy.DEADLINE, now)
        return locked


def close_due_of(user: User) -> None:
    """Close this learner's sittings whose deadline has passed, before a page says how they stand."""
    for sitting in Sitting.objects.of(user).due(timezone.now()):
        close_if_due(sitting)


def close_due_in(cohort: Cohort) -> None:
    """Close a cohort's sittings whose deadline has passed, before a page of its staff says how they stand."""
    for sitting in Sitting.objects.filter(assignment__cohort=cohort).due(timezone.now()):
        close_if_due(sitting)


def close_due(*, at_most: int) -> int:
    """Close sittings whose deadline has passed and return how many, the longest overdue first."""
    due = Sitting.objects.due(timezone.now()).order_by("deadline_at")[:at_most]
    return len([close_if_due(sitting) for sitting in due])


def _refusal_to_open(enrolment: Enrolment, assignment: Assignment, attempt: int, now: datetime) -> Refusal | None:
    zone = assignment.zone
    if enrolment.role != Role.LEARNER or enrolment.withdrawn_at is not None:
        return Refusal(RefusalReason.NOT_A_LEARNER, "Only learners of this cohort sit its tests.")
    if assignment.opens_at and now < assignment.opens_at:
        return Refusal(RefusalReason.NOT_YET_OPEN, f"This test opens on {deadline(assignment.opens_at, zone)}.")
    if assignment.closes_at and now >= assignment.closes_at:
        return Refusal(RefusalReason.NO_LONGER_OPEN, f"This test closed on {deadline(assignment.closes_at, zone)}.")
    if attempt > assignment.attempts:
        return Refusal(RefusalReason.NO_ATTEMPT_LEFT, "Every attempt at this test has been used.")
    if assignment.blueprint not in current_bank().blueprints:
        return Refusal(
            RefusalReason.NO_BLUEPRINT,
            "This test cannot be drawn, and that is ours to mend. No attempt was used; tell whoever runs the course.",
        )
    return None


def _new_sitting(enrolment: Enrolment, assignment: Assignment, attempt: int, now: datetime, seed: str) -> Sitting:
    bank = current_bank()
    paper = draw_paper(bank.blueprints[assignment.blueprint], bank.questions, seed)
    kept = snapshots.keep(line.question for line in paper)
    limits = [assignment.closes_at, now + timedelta(minutes=assignment.minutes) if assignment.minutes else None]
    sitting = Sitting.objects.create(
        assignment=assignment,
        enrolment=enrolment,
        attempt=attempt,
        seed=seed,
        opened_at=now,
        deadline_at=min((limit for limit in limits if limit), default=None),
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
    _note(sitting, EventKind.OPENED, now)
    return sitting


def _locked(sitting_id: uuid.UUID) -> Sitting:
    return (
        Sitting.objects.select_for_update(of=("self",))
        .select_related("assignment__cohort", "enrolment__user")
        .get(pk=sitting_id)
    )


def _refusal_to_change(sitting: Sitting, now: datetime) -> Refusal | None:
    """Return why a sitting cannot be changed any more; one that is overdue is closed on the way."""
    zone = sitting.assignment.zone
    if not sitting.is_closed and _is_due(sitting, now):
        _close(sitting, ClosedBy.DEADLINE, now)
    if sitting.closed_at is None:
        if sitting.enrolment.withdrawn_at is not None:
            return Refusal(RefusalReason.NOT_A_LEARNER, "You have left this cohort, so nothing can be changed here.")
        recent = Event.objects.filter(sitting=sitting, at__gt=now - timedelta(minutes=1)).count()
        if recent >= CHANGES_PER_MINUTE:
            sentence = "Very many changes came within a minute, so this one was not saved. Wait a minute, then send it."
            return Refusal(RefusalReason.TOO_FAST, sentence)
        return None
    at = clock(sitting.closed_at, zone)
    if sitting.closed_by == ClosedBy.DEADLINE:
        return Refusal(RefusalReason.CLOSED, f"Time was up at {at}. What was saved by then was handed in.")
    return Refusal(RefusalReason.CLOSED, f"This test was handed in at {at}, so answers can no longer change.")


def _stale(sitting: Sitting, response: Response, answer: Answer | None, now: datetime) -> Refusal:
    detail = {"reason": "stale", "answer": None if answer is None else list(answer.parts)}
    _note(sitting, EventKind.REFUSED, now, response.slot, detail)
    when = f" at {clock(response.saved_at, sitting.assignment.zone)}" if response.saved_at else ""
    return Refusal(RefusalReason.STALE, f"This answer was changed in another tab{when}. Choose one.")


def _is_due(sitting: Sitting, now: datetime) -> bool:
    return sitting.deadline_at is not None and now >= sitting.deadline_at


def _close(sitting: Sitting, by: ClosedBy, now: datetime) -> None:
    """Mark every answer and close a locked sitting."""
    slots = list(sitting.slots.select_related("snapshot", "response"))
    parts = []
    for slot in slots:
        response = slot.response
        marked = marking.mark(slot.snapshot.question(), slot.variant, response.given)
        parts.append((marked.fraction, slot.marks))
        response.mark = marking.earned([parts[-1]])
        response.misconception_ids = [cause.id for cause in marked.causes]
        response.marked_from = slot.snapshot.marking_digest
    Response.objects.bulk_update([slot.response for slot in slots], ["mark", "misconception_ids", "marked_from"])
    # A sitting that nobody touched for a week still ended at its deadline.
    sitting.closed_at = sitting.deadline_at if by is ClosedBy.DEADLINE else now
    sitting.closed_by, sitting.mark = by, marking.earned(parts)
    sitting.save(update_fields=["closed_at", "closed_by", "mark"])
    _note(sitting, EventKind.CLOSED, now, detail={"by": by.value})


def _receipt(response: Response) -> Receipt:
    return Receipt(revision=response.revision, answer=response.given, saved_at=response.saved_at)


def _note(
    sitting: Sitting,
    kind: EventKind,
    at: datetime,
    slot: Slot | None = None,
    detail: Mapping[str, object] | None = None,
) -> None:
    Event.objects.create(sitting=sitting, slot=slot, kind=kind, at=at, detail=detail or {})
    # What was answered stays out of the log: the detail of a save holds it.
    position = {} if slot is None else {"position": slot.position}
    logger.info("sitting %s", kind.value, extra={"facts": {"sitting": sitting.pk, **position}})
