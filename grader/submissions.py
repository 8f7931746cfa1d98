"""Verbs that move a submission: submit, cancel, dispatch, requeue_expired, record_progress, record_verdict.

Every change of state is one conditional update, so that a verb may run twice, late or beside itself. The broker is a
short pipe: what it loses comes back by the lease, what it repeats meets a ticket that no longer counts.
"""

import logging
import secrets
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Q
from django.utils import timezone

from courseware.accounts.models import User
from grader import pipe, repeats
from grader.catalogue import current_exercises
from grader.exercises import Exercise
from grader.messages import Delivery, GradeOrder, ProgressNote, VerdictNote
from grader.messages import Kind as OrderKind
from grader.models import (
    LIVE,
    MARK_PLACES,
    TICKET_LENGTH,
    JudgeHost,
    Kind,
    State,
    Submission,
    SubmissionQuerySet,
    libraries_of,
)
from grader.quotas import check_pace
from grader.reports import write_results
from grader.sources import Refused, gradable_source
from grader.verdicts import Outcome, Owner, Verdict

MAX_DELIVERIES = 3  # a program that took three judges with it will take the fourth
# One at work and one waiting at the judge's door: more would only take order and cancelling out of the site's hands.
OUT_PER_JUDGE = 2

logger = logging.getLogger(__name__)


def submit(user: User, exercise: Exercise, *, kind: Kind, source: str) -> Submission:
    """Return a new queued submission, which is sent as soon as a judge is free.

    A learner has one live submit per exercise, and one live run beside it: a newer submit replaces one that still
    waits, and any run; a newer run replaces a run. Code that was just given a verdict is given the same one at once.
    Errors:  Refused if the source cannot be graded, an older submit is already with a judge, or too many came at once
    """
    source = gradable_source(source)
    with transaction.atomic():
        # One learner's submits stand in line behind this lock, so that numbers and the one live row are certain.
        User.objects.select_for_update().get(pk=user.pk)
        check_pace(user)
        theirs = Submission.objects.filter(user=user, exercise=exercise.slug)
        _make_room(theirs.live(), kind)
        newest = theirs.filter(kind=kind).aggregate(number=Max("number"))["number"] or 0
        submission = Submission.objects.create(
            user=user,
            exercise=exercise.slug,
            exercise_digest=exercise.digest,
            kind=kind,
            number=newest + 1,
            source=source,
            marks_available=exercise.marks if kind == Kind.SUBMIT else None,
        )
        _log("submission queued", submission.pk, exercise=exercise.slug, kind=str(kind), user=user.uuid)
        if not repeats.answer_as_before(submission):
            _dispatch_soon()
    return submission


def _dispatch_soon() -> None:
    """Dispatch when what was written is certain; should that fail, it is stored all the same, and the jobs dispatch."""
    transaction.on_commit(dispatch, robust=True)


def cancel(submission: Submission) -> bool:
    """Take a live submission back; False if it had already ended.

    One that a judge is working on keeps its place among those that are out until the judge answers or its lease ends.
    """
    now = timezone.now()
    cancelled = Submission.objects.live().filter(pk=submission.pk).update(state=State.CANCELLED, finished_at=now)
    if cancelled:
        _log("submission taken back", submission.pk)
        _dispatch_soon()
    return bool(cancelled)


def dispatch() -> int:
    """Send queued submissions to judges while there is room, and return how many were sent.

    Safe to run at any time and beside itself. A broker that does not answer leaves its rows queued for the next run.
    """
    requeue_expired()
    _end_those_without_exercise()
    orders = _claim()
    sent = pipe.send_orders(orders)
    for order in orders[:sent]:
        _log("submission sent", order.sent.submission, delivery=order.sent.delivery)
    for order in orders[sent:]:
        _unclaim(order.sent)
    return sent


def requeue_expired() -> int:
    """Return submissions whose lease ran out to the queue, or end them after the last delivery; return how many."""
    now = timezone.now()
    longest = max((_lease(exercise) for exercise in current_exercises().values()), default=timedelta())
    # No lease is given that runs for longer than the longest: the clock was set back, and by how much nobody knows.
    ended = Q(lease_until__lte=now) | Q(lease_until__gt=now + longest)
    expired = Submission.objects.filter(ended, state=State.SENT)
    # Each is asked for again under its lock: a verdict may arrive while this runs.
    return sum(_return_expired(submission) for submission in expired.values_list("pk", "delivery", "ticket"))


def record_progress(note: ProgressNote) -> bool:
    """Keep what the checks found so far; False if this delivery is not the one that counts."""
    with transaction.atomic():
        submission = _answered(note.sent)
        if submission is None or submission.state != State.SENT:
            return False
        if submission.is_run:
            write_results(submission, examples=note.checks)
        else:
            write_results(submission, checks=note.checks)
    return True


def record_verdict(note: VerdictNote) -> bool:
    """End a submission with its verdict; False if this delivery is not the one that counts.

    An operator's fault sends it once more, until its deliveries are used up.
    """
    with transaction.atomic():
        submission = _answered(note.sent)
        if submission is None:
            logger.warning("verdict refused: submission %s, delivery %s", note.sent.submission, note.sent.delivery)
            return False
        if submission.state == State.CANCELLED:
            # Nobody waits for this verdict, but the judge is free again.
            _this(submission).update(lease_until=None, ticket="")
        elif note.verdict.owner is Owner.OPERATOR and submission.delivery < MAX_DELIVERIES:
            _return_to_queue(submission, note.verdict.reason or note.verdict.sentence)
        else:
            _finish(submission, note.verdict, judge=note.judge)
        _dispatch_soon()
    return True


def _make_room(live: SubmissionQuerySet, kind: Kind) -> None:
    """End what a newer program of this kind takes the place of."""
    for older in live if kind == Kind.SUBMIT else live.filter(kind=Kind.RUN):
        if older.state == State.SENT and not older.is_run:
            raise Refused(f"Submission {older.number} is with a grader. Wait for its verdict, or take it back first.")
        _this(older).filter(state__in=LIVE).update(state=State.CANCELLED, finished_at=timezone.now())


def _claim() -> list[GradeOrder]:
    """Return orders for the next queued rows, each claimed by one conditional update."""
    with transaction.atomic():
        # Dispatchers stand in line behind the judges' rows (on SQLite behind the write lock); without that two of
        # them could each count the same free place.
        judges = list(JudgeHost.objects.grading().order_by("pk").select_for_update())
        room = OUT_PER_JUDGE * len(judges) - Submission.objects.out().count()
        if room <= 0:
            return []
        libraries = libraries_of(judges)
        sendable = [slug for slug, exercise in current_exercises().items() if exercise.library in libraries]
        rows = list(Submission.objects.in_turn().filter(exercise__in=sendable)[:room])
        return [order for row in rows if (order := _claim_row(row, current_exercises()[row.exercise])) is not None]


def _claim_row(row: Submission, exercise: Exercise) -> GradeOrder | None:
    now = timezone.now()
    sent = Delivery(str(row.pk), row.delivery + 1, secrets.token_hex(TICKET_LENGTH // 2))
    seed = secrets.randbits(63) if row.seed is None else row.seed
    claimed = Submission.objects.filter(pk=row.pk, state=State.QUEUED, delivery=row.delivery).update(
        state=State.SENT,
        delivery=sent.delivery,
        ticket=sent.ticket,
        lease_until=now + _lease(exercise),
        started_at=now,
        seed=seed,
        exercise_digest=exercise.digest,
    )
    if not claimed:
        return None
    return GradeOrder(
        sent=sent,
        exercise=exercise.slug,
        exercise_digest=exercise.digest,
        source=row.source,
        seed=seed,
        limits=exercise.limits.to_message(),
        stages=("cpu",),
        kind=OrderKind(row.kind),
    )


def _lease(exercise: Exercise) -> timedelta:
    return timedelta(seconds=exercise.limits.total_seconds + settings.GRADER_LEASE_GRACE_SECONDS)


def _unclaim(sent: Delivery) -> None:
    """Put back a row whose message never left: that was no delivery, and it must not use one up."""
    matching = Submission.objects.delivered_as(submission=sent.submission, delivery=sent.delivery, ticket=sent.ticket)
    queued = matching.filter(state=State.SENT).update(
        state=State.QUEUED, delivery=F("delivery") - 1, ticket="", lease_until=None
    )
    if not queued:
        matching.filter(state=State.CANCELLED).update(ticket="", lease_until=None)


def _end_those_without_exercise() -> None:
    """End queued rows whose exercise left the course: no judge could ever be sent them."""
    orphans = Submission.objects.filter(state=State.QUEUED).exclude(exercise__in=current_exercises())
    for submission in orphans:
        sentence = "This exercise is no longer part of the course, so nothing can grade the submission."
        _finish(submission, Verdict(Outcome.BROKEN_EXERCISE, sentence), judge="")


def _return_expired(expired: tuple[object, int, str]) -> bool:
    submission_id, delivery, ticket = expired
    with transaction.atomic():
        submission = _answered(Delivery(str(submission_id), delivery, ticket))
        if submission is None or submission.state != State.SENT:
            return False
        _return_to_queue(submission, "its lease ran out without a verdict")
    return True


def _return_to_queue(submission: Submission, reason: str) -> None:
    logger.error("submission %s, delivery %s: %s", submission.pk, submission.delivery, reason)
    if submission.delivery >= MAX_DELIVERIES:
        sentence = "Three graders were lost over this submission. That is ours to mend; nothing was charged."
        _finish(submission, Verdict(Outcome.OPERATOR, sentence, reason=reason), judge="")
        return
    submission.results.all().delete()
    _this(submission).update(state=State.QUEUED, ticket="", lease_until=None)


def _answered(sent: Delivery) -> Submission | None:
    """Return the row that this very delivery may still change, locked until the transaction ends."""
    matching = Submission.objects.delivered_as(submission=sent.submission, delivery=sent.delivery, ticket=sent.ticket)
    return matching.filter(Q(state=State.SENT) | Q(state=State.CANCELLED)).select_for_update().first()


def _finish(submission: Submission, verdict: Verdict, *, judge: str) -> None:
    """Write the verdict into a row that the caller has locked or that nobody else can change."""
    evidence = verdict.to_message() | {"judge": judge}
    for column in ("checks", "examples", "outcome", "behaviour_signature"):
        del evidence[column]
    earns = submission.kind == Kind.SUBMIT and verdict.owner is Owner.LEARNER and submission.marks_available is not None
    finished = (
        _this(submission)
        .filter(state=submission.state)
        .update(
            state=State.FINISHED,
            ticket="",
            lease_until=None,
            finished_at=timezone.now(),
            verdict=verdict.outcome.value,
            fault_of=verdict.owner.value,
            mark=_mark(verdict.fraction, submission.marks_available) if earns else None,
            misconception_ids=_misconceptions(verdict),
            evidence=evidence,
            behaviour_signature=verdict.behaviour_signature,
        )
    )
    if finished:
        submission.results.all().delete()
        write_results(submission, checks=verdict.checks, examples=verdict.examples)
        _log("submission finished", submission.pk, verdict=verdict.outcome.value, judge=judge or "none")


def _mark(fraction: Decimal, available: Decimal | None) -> Decimal:
    return (fraction * (available or Decimal(0))).quantize(MARK_PLACES, ROUND_HALF_UP)


def _misconceptions(verdict: Verdict) -> list[str]:
    named = (verdict.diagnosis.misconception, verdict.diagnosis.also) if verdict.diagnosis else ()
    return [each for each in named if each]


def _this(submission: Submission) -> SubmissionQuerySet:
    return Submission.objects.filter(pk=submission.pk)


def _log(event: str, submission: object, **facts: object) -> None:
    # When it is certain: a database without room takes back what was already written.
    line = partial(logger.info, event, extra={"facts": {"submission": submission, **facts}})
    transaction.on_commit(line)
