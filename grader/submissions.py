"""Verbs that move a submission for a learner or a judge: submit, cancel, record_progress, record_verdict.

Every change of state is one conditional update, so that a verb may run twice, late or beside itself. Whoever makes room
for another submission, or hands one in, has `dispatching` send what is next.
"""

import logging
import uuid
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from decimal import Decimal

from django.db import OperationalError, transaction
from django.utils import timezone

from courseware.accounts.models import User
from courseware.statements import Change, Given, Statement
from grader import repeats
from grader.dispatching import dispatch_soon, unclaim
from grader.ending import MAX_DELIVERIES, answered, finish, log_event, return_to_queue, this_row
from grader.exercises import Exercise
from grader.messages import ProgressNote, VerdictNote
from grader.models import LIVE, Kind, State, Submission
from grader.quotas import check_pace
from grader.reports import keep_so_far
from grader.sources import Refused, gradable_source
from grader.verdicts import Owner

logger = logging.getLogger(__name__)

# What every submit asks of its learner's programs for the exercise.
_LIVE: Statement[Submission] = Statement(
    lambda: Submission.objects.live().filter(user=Given("user", int), exercise=Given("exercise", str)),
)
_LOCK: Statement[tuple[int]] = Statement(
    lambda: User.objects.filter(pk=Given("user", int)).select_for_update().values_list("pk")
)
_NEWEST: Statement[int] = Statement(
    lambda: (
        Submission.objects.filter(user=Given("user", int), exercise=Given("exercise", str), kind=Given("kind", str))
        .order_by("-number")
        .values_list("number", flat=True)[:1]
    )
)
# What differs from one new submission to the next.
_GIVEN: dict[str, type] = {
    "id": uuid.UUID,
    "user_id": int,
    "exercise": str,
    "exercise_digest": str,
    "kind": str,
    "number": int,
    "source": str,
    "queued_at": datetime,
    "marks_available": Decimal,
}
_WRITE = Change(lambda: [Submission(**{name: Given(name, kind) for name, kind in _GIVEN.items()})])


def submit(user: User, exercise: Exercise, *, kind: Kind, source: str) -> Submission:
    """Return a new queued submission, which is sent as soon as a judge is free.

    A learner has one live submit per exercise, and one live run beside it: a newer submit replaces one that still
    waits, and any run; a newer run replaces a run. Code that was just given a verdict is given the same one at once.
    Errors:  Refused if the source cannot be graded, an older submit is already with a judge, or too many came at once
    """
    source = gradable_source(source)
    with transaction.atomic():
        # One learner's submits stand in line behind this lock, so that numbers and the one live row are certain.
        _LOCK.rows(user=user.pk)
        check_pace(user)
        _make_room(_LIVE.rows(user=user.pk, exercise=exercise.slug), kind)
        newest = _NEWEST.first(user=user.pk, exercise=exercise.slug, kind=str(kind)) or 0
        submission = Submission(
            user=user,
            exercise=exercise.slug,
            exercise_digest=exercise.digest,
            kind=kind,
            number=newest + 1,
            source=source,
            marks_available=exercise.marks if kind == Kind.SUBMIT else None,
        )
        _WRITE.run(**{name: getattr(submission, name) for name in _GIVEN})
        submission._state.adding = False  # as Django itself says of a row that it has written
        log_event("submission queued", submission.pk, exercise=exercise.slug, kind=str(kind), user=user.uuid)
        if not repeats.answer_as_before(submission):
            dispatch_soon()
    return submission


def cancel(submission: Submission) -> bool:
    """Take a live submission back; False if it had already ended.

    One that a judge is working on keeps its place among those that are out until the judge answers or its lease ends.
    """
    now = timezone.now()
    cancelled = Submission.objects.live().filter(pk=submission.pk).update(state=State.CANCELLED, finished_at=now)
    if cancelled:
        log_event("submission taken back", submission.pk)
        dispatch_soon()
    return bool(cancelled)


def record_progress(note: ProgressNote) -> bool:
    """Keep what the checks found so far; False if this delivery is not the one that counts."""
    with transaction.atomic():
        submission = answered(note.sent)
        if submission is None or submission.state != State.SENT:
            return False
        if submission.is_run:
            keep_so_far(submission, examples=note.checks)
        else:
            keep_so_far(submission, checks=note.checks)
    return True


def record_verdict(note: VerdictNote) -> bool:
    """End a submission with its verdict; False if this delivery is not the one that counts.

    An operator's fault sends it once more, until its deliveries are used up.
    Errors:  OperationalError if the database has no room for it, or is away; it is then sent once more
    """
    try:
        return _record_verdict(note)
    except OperationalError:
        with suppress(OperationalError):  # where there is no room for this either, there is none to send it again
            unclaim(note.sent)
        raise


def _record_verdict(note: VerdictNote) -> bool:
    with transaction.atomic():
        submission = answered(note.sent)
        if submission is None:
            logger.warning("verdict refused: submission %s, delivery %s", note.sent.submission, note.sent.delivery)
            return False
        if submission.state == State.CANCELLED:
            # Nobody waits for this verdict, but the judge is free again.
            this_row(submission).update(lease_until=None, ticket="")
        elif note.verdict.owner is Owner.OPERATOR and submission.delivery < MAX_DELIVERIES:
            return_to_queue(submission, note.verdict.reason or note.verdict.sentence)
        else:
            finish(submission, note.verdict, judge=note.judge)
        dispatch_soon()
    return True


def _make_room(live: Sequence[Submission], kind: Kind) -> None:
    """End what a newer program of this kind takes the place of."""
    for older in live if kind == Kind.SUBMIT else (each for each in live if each.is_run):
        if older.state == State.SENT and not older.is_run:
            raise Refused(f"Submission {older.number} is with a grader. Wait for its verdict, or take it back first.")
        this_row(older).filter(state__in=LIVE).update(state=State.CANCELLED, finished_at=timezone.now())
