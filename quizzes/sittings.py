"""Verbs of a sitting: find one's own, record an answer, flag a question, hand in.

Every verb is safe to run twice. A refusal is returned, never raised, and says in a sentence what the learner can do.
The row of the sitting is locked first by each of them, so that no answer is saved after the marks were counted.
"""

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.utils import timezone

from courseware.accounts.models import User
from courseware.statements import Given, Statement
from quizzes import answer_rows
from quizzes.closing import close, close_if_due, locked
from quizzes.event_log import note
from quizzes.models import ClosedBy, Event, EventKind, Response, Sitting
from quizzes.moments import clock
from quizzes.outcomes import Receipt, Refusal, RefusalReason
from quizzes.questions import Answer, Posed, Unreadable
from quizzes.registry import kind_of
from quizzes.timing import is_over

# Two a second for a whole minute: nobody answers so fast, and each change is a row that stays.
CHANGES_PER_MINUTE = 120
_MINUTE = timedelta(minutes=1)
# A page names itself once and numbers its saves, so that it can be told from another page of the same question.
_SAVE_ID = re.compile(r"([0-9a-f]{16})-([0-9]{1,9})")


_MINE: Statement[Sitting] = Statement(
    lambda: (
        Sitting.objects.of(Given("user", int))
        .select_related("assignment__cohort")
        .filter(pk=Given("sitting", uuid.UUID))
    )
)


def sitting_of(user: User, sitting_id: uuid.UUID) -> Sitting | None:
    """Return a sitting of this learner as it stands now, closed if its time is up; None if it is not theirs."""
    sitting = _MINE.first(user=user.pk, sitting=sitting_id)
    return close_if_due(sitting) if sitting else None


@dataclass(frozen=True)
class Sent:
    """A save as it came: the form's fields, the revision that the page knew, and the save's own id, if it has one."""

    fields: Mapping[str, Sequence[str]]
    revision: int
    save_id: str = ""


def record_answer(
    sitting_id: uuid.UUID, position: int, answer: Answer | None, revision: int, *, save_id: str = ""
) -> Receipt | Refusal:
    """Return the receipt of an answer that is now saved; None leaves the question open again.

    `revision` is that of the receipt which the sender last saw. An answer that is already saved is confirmed
    whatever the revision, so that a save sent twice is one; another answer on an older revision is refused, since it
    comes from a page that does not know of the newer one. A page that lost a receipt on the way is no older page: it
    shows by `save_id` that the newer answer was its own.

    Errors:  Response.DoesNotExist if there is no such sitting or question
    """
    now = timezone.now()
    with transaction.atomic():
        response = _locked_response(now, sitting_id, position)
        return _refusal(response, now) or _record(response, answer, revision, save_id, now)


Recorded = tuple[Response, Receipt | Refusal | Unreadable]  # the row, and what came of the save


def record_sent(user: User, sitting_id: uuid.UUID, position: int, sent: Sent) -> Recorded:
    """Read what this learner sent as the question's kind does, and record it; return the row and what came of it.

    Errors:  Response.DoesNotExist if this learner has no such sitting or question
    """
    now = timezone.now()
    with transaction.atomic():
        response = _locked_response(now, sitting_id, position, user)
        refusal = _refusal(response, now)
        if refusal:
            return response, refusal
        question = response.slot.snapshot.question()
        answer = kind_of(question.kind).read(Posed(question.task, response.slot.variant), sent.fields)
        if isinstance(answer, Unreadable):
            return response, _refusal_of_final(response) or answer
        return response, _record(response, answer, sent.revision, sent.save_id, now)


def flag(sitting_id: uuid.UUID, position: int, *, flagged: bool) -> Refusal | None:
    """Mark a question to look at again, or take the mark away; None when it is so now.

    Errors:  Response.DoesNotExist if there is no such sitting or question
    """
    now = timezone.now()
    with transaction.atomic():
        response = _locked_response(now, sitting_id, position)
        refusal = _refusal(response, now)
        if refusal:
            return refusal
        slot = response.slot
        if slot.sitting.slots.filter(pk=slot.pk, flagged=not flagged).update(flagged=flagged):
            note(slot.sitting, EventKind.FLAGGED if flagged else EventKind.UNFLAGGED, now, slot)
        return None


def hand_in(sitting_id: uuid.UUID) -> Sitting:
    """Return the sitting, closed and marked; one that was closed before stays as it was.

    Errors:  Sitting.DoesNotExist if there is no such sitting
    """
    now = timezone.now()
    with transaction.atomic():
        sitting = locked(sitting_id)
        if not sitting.is_closed:
            close(sitting, ClosedBy.DEADLINE if is_over(sitting.deadline_at, now) else ClosedBy.LEARNER, now)
        return sitting


def _locked_response(now: datetime, sitting_id: uuid.UUID, position: int, user: User | None = None) -> Response:
    """Return a response with all that saving needs, its sitting locked: one query, since a whole class saves at once.

    The lock is on the sitting alone, so after waiting for it the response may be older than what is stored; writing is
    therefore bound to its revision.
    """
    given = {"sitting": sitting_id, "position": position, "minute_ago": now - _MINUTE}
    found = _OF_ANYBODY.first(**given) if user is None else _OF_SOMEBODY.first(**given, user=user.pk)
    if found is None:
        raise Response.DoesNotExist
    return found


# Of 75 columns; whatever else closing or a refusal asks for is read then. The body of a snapshot is read once in the
# life of a process, see QuestionSnapshot.question.
_ASKED_AT_EVERY_SAVE = (
    *("slot", "revision", "save_id", "answer", "saved_at", "final_at"),
    *(f"slot__{name}" for name in ("sitting", "position", "snapshot", "parameters", "option_order", "flagged")),
    "slot__snapshot__content_digest",
    *(f"slot__sitting__{name}" for name in ("assignment", "enrolment", "opened_at", "deadline_at", "closed_at")),
    *(f"slot__sitting__{name}" for name in ("closed_by", "enrolment__withdrawn_at")),
    *(f"slot__sitting__assignment__{name}" for name in ("cohort__time_zone", "marks_shown", "explanations_shown")),
    "slot__sitting__assignment__cohort",
)


def _with_all_that_saving_needs() -> QuerySet[Response]:
    recent = Event.objects.filter(sitting=OuterRef("slot__sitting"), at__gt=Given("minute_ago", datetime)).order_by()
    return (
        Response.objects.select_for_update(of=("slot__sitting",))
        .select_related("slot__snapshot", "slot__sitting__assignment__cohort", "slot__sitting__enrolment")
        .only(*_ASKED_AT_EVERY_SAVE)
        .annotate(recent=Subquery(recent.values("sitting").annotate(count=Count("pk")).values("count")))
        .filter(slot__sitting=Given("sitting", uuid.UUID), slot__position=Given("position", int))
    )


_OF_ANYBODY: Statement[Response] = Statement(_with_all_that_saving_needs)
_OF_SOMEBODY: Statement[Response] = Statement(
    lambda: _with_all_that_saving_needs().filter(slot__sitting__enrolment__user=Given("user", int))
)


def _refusal(response: Response, now: datetime) -> Refusal | None:
    """Return why nothing can be changed any more; a sitting that is overdue is closed on the way."""
    sitting = response.slot.sitting
    if not sitting.is_closed and is_over(sitting.deadline_at, now):
        close(sitting, ClosedBy.DEADLINE, now)
    if sitting.closed_at is not None:
        at = clock(sitting.closed_at, sitting.assignment.zone)
        if sitting.closed_by == ClosedBy.DEADLINE:
            return Refusal(RefusalReason.CLOSED, f"Time was up at {at}. What was saved by then was handed in.")
        return Refusal(RefusalReason.CLOSED, f"This test was handed in at {at}, so answers can no longer change.")
    if sitting.enrolment.withdrawn_at is not None:
        return Refusal(RefusalReason.NOT_A_LEARNER, "You have left this cohort, so nothing can be changed here.")
    if (getattr(response, "recent", None) or 0) >= CHANGES_PER_MINUTE:
        sentence = "Very many changes came within a minute, so this one was not saved. Wait a minute, then send it."
        return Refusal(RefusalReason.TOO_FAST, sentence)
    return None


def _record(response: Response, answer: Answer | None, revision: int, save_id: str, now: datetime) -> Receipt | Refusal:
    if response.given == answer:
        return receipt_of(response)
    refusal = _refusal_of_final(response)
    if refusal:
        return refusal
    if revision != response.revision and not _comes_after(save_id, response.save_id):
        return _stale(response, answer, now)
    parts = None if answer is None else list(answer.parts)
    is_written = answer_rows.write(response, parts, save_id, now)
    if not is_written:  # another save was stored while this one waited for the lock
        response.refresh_from_db(fields=["revision", "answer", "saved_at", "save_id", "final_at"])
        return _record(response, answer, revision, save_id, now)
    return receipt_of(response)


def _refusal_of_final(response: Response) -> Refusal | None:
    if response.final_at is None:
        return None
    return Refusal(RefusalReason.FINAL, "You made this answer final, so it can no longer change.")


def _comes_after(save_id: str, stored: str) -> bool:
    """Tell whether a save comes from the page that wrote the stored answer, and after it."""
    one, other = _SAVE_ID.fullmatch(save_id), _SAVE_ID.fullmatch(stored)
    return one is not None and other is not None and one[1] == other[1] and int(one[2]) > int(other[2])


def _stale(response: Response, answer: Answer | None, now: datetime) -> Refusal:
    sitting = response.slot.sitting
    detail = {"reason": "stale", "answer": None if answer is None else list(answer.parts)}
    note(sitting, EventKind.REFUSED, now, response.slot, detail)
    when = f" at {clock(response.saved_at, sitting.assignment.zone)}" if response.saved_at else ""
    return Refusal(RefusalReason.STALE, f"This answer was changed in another tab{when}. Choose one.")


def receipt_of(response: Response) -> Receipt:
    """Return the receipt of what the server holds."""
    return Receipt(revision=response.revision, answer=response.given, saved_at=response.saved_at)
