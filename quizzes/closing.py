"""How a sitting ends: marked from what was saved, whether or not anybody is there.

Expects the row of the sitting to be locked wherever it says so, so that no answer is saved after the marks were
counted.
"""

import uuid
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from courseware.accounts.models import Cohort
from courseware.statements import Given, Statement
from quizzes import marking
from quizzes.event_log import note
from quizzes.models import ClosedBy, EventKind, Response, Sitting
from quizzes.timing import days_late, is_over, share_kept

_DUE_IN: Statement[Sitting] = Statement(
    lambda: Sitting.objects.filter(assignment__cohort=Given("cohort", int)).due(Given("now", datetime))
)


def close(sitting: Sitting, by: ClosedBy, now: datetime) -> None:
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
    # The last answer decides, not the closing: whoever had saved everything in time is not late for staying away.
    last_saved = max((slot.response.saved_at for slot in slots if slot.response.saved_at), default=None)
    sitting.days_late = days_late(last_saved, sitting.on_time_until)
    kept = share_kept(sitting.days_late, sitting.assignment.late_percent_per_day)
    sitting.mark = marking.earned((fraction * kept, marks) for fraction, marks in parts)
    sitting.taken_off = marking.earned(parts) - sitting.mark
    # A sitting that nobody touched for a week, or that was handed in within the grace, still ended at its deadline.
    sitting.closed_at = now if sitting.deadline_at is None else min(now, sitting.deadline_at)
    sitting.closed_by = by
    sitting.save(update_fields=["closed_at", "closed_by", "mark", "days_late", "taken_off"])
    note(sitting, EventKind.CLOSED, now, detail={"by": by.value})


def locked(sitting_id: uuid.UUID) -> Sitting:
    """Return a sitting that nobody else can change before the transaction ends.

    Errors:  Sitting.DoesNotExist if there is no such sitting
    """
    return (
        Sitting.objects.select_for_update(of=("self",))
        .select_related("assignment__cohort", "enrolment__user")
        .get(pk=sitting_id)
    )


def close_if_due(sitting: Sitting) -> Sitting:
    """Return the sitting, closed by the server if its time is up while nobody was there."""
    now = timezone.now()
    if sitting.is_closed or not is_over(sitting.deadline_at, now):
        return sitting
    with transaction.atomic():
        mine = locked(sitting.pk)
        # It may have been closed meanwhile, or been given more time.
        if not mine.is_closed and is_over(mine.deadline_at, now):
            close(mine, ClosedBy.DEADLINE, now)
        return mine


def close_due_in(cohort: Cohort) -> None:
    """Close a cohort's sittings whose time is up, before a page of its staff says how they stand."""
    for sitting in _DUE_IN.rows(cohort=cohort.pk, now=timezone.now()):
        close_if_due(sitting)


def close_due(*, at_most: int) -> int:
    """Close sittings whose time is up and return how many, the longest overdue first."""
    due = Sitting.objects.due(timezone.now()).order_by("deadline_at")[:at_most]
    return len([close_if_due(sitting) for sitting in due])
