"""The verbs that send queued submissions to judges, `dispatch`, and that bring back what was lost, `put_right`.

Every change of state is one conditional update, so that a verb may run twice, late or beside itself. The broker is a
short pipe: what it loses comes back by the lease, what it repeats meets a ticket that no longer counts.
"""

import secrets
import uuid
from datetime import datetime, timedelta
from functools import lru_cache

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from courseware.statements import Change, Given, Statement
from grader import pipe
from grader.catalogue import current_exercises
from grader.ending import answered, finish, log_event, return_to_queue
from grader.exercises import Exercise
from grader.judges import libraries_of
from grader.messages import Delivery, GradeOrder
from grader.messages import Kind as OrderKind
from grader.models import TICKET_LENGTH, JudgeHost, State, Submission, around
from grader.verdicts import Outcome, Verdict

# One at work and one waiting at the judge's door: more would only take order and cancelling out of the site's hands.
OUT_PER_JUDGE = 2
# Between the moment from which leases are looked at and a busy database's answer rows are claimed, from later ones.
_CLAIMED_MEANWHILE = timedelta(minutes=1)

# What every submit and every verdict asks and writes.
_JUDGES: Statement[JudgeHost] = Statement(
    lambda: (
        JudgeHost.objects.grading((Given("earliest", datetime), Given("latest", datetime)))
        .order_by("pk")
        .select_for_update()
    )
)
_OUT: Statement[tuple[uuid.UUID]] = Statement(
    lambda: Submission.objects.out(Given("now", datetime)).values_list("pk"),
)
_CLAIM = Change(
    lambda: (
        Submission.objects.filter(pk=Given("pk", uuid.UUID), state=State.QUEUED, delivery=Given("before", int)),
        {
            "state": State.SENT,
            "delivery": Given("delivery", int),
            "ticket": Given("ticket", str),
            "lease_until": Given("lease_until", datetime),
            "started_at": Given("now", datetime),
            "seed": Given("seed", int),
            "exercise_digest": Given("digest", str),
        },
    )
)


def dispatch() -> int:
    """Send queued submissions to judges while there is room, and return how many were sent.

    Safe to run at any time and beside itself. A broker that does not answer leaves its rows queued for the next run.
    """
    orders = _claim()
    sent = pipe.send_orders(orders)
    for order in orders[:sent]:
        log_event("submission sent", order.sent.submission, delivery=order.sent.delivery)
    for order in orders[sent:]:
        unclaim(order.sent)
    return sent


def dispatch_soon() -> None:
    """Dispatch when what was written is certain; should that fail, it is stored all the same, and the jobs dispatch."""
    transaction.on_commit(dispatch, robust=True)


def put_right() -> None:
    """Return what was lost to the queue, and end what nobody can grade; the periodic jobs do it every few seconds."""
    requeue_expired()
    _end_those_without_exercise()


def requeue_expired() -> int:
    """Return submissions whose lease ran out to the queue, or end them after the last delivery; return how many."""
    now = timezone.now()
    longest = max((_lease(exercise) for exercise in current_exercises().values()), default=timedelta())
    # No lease is given that runs for longer than the longest: the clock was set back, and by how much nobody knows.
    ended = Q(lease_until__lte=now) | Q(lease_until__gt=now + longest + _CLAIMED_MEANWHILE)
    expired = Submission.objects.filter(ended, state=State.SENT)
    # Each is asked for again under its lock: a verdict may arrive while this runs.
    return sum(_return_expired(submission) for submission in expired.values_list("pk", "delivery", "ticket"))


def _claim() -> list[GradeOrder]:
    """Return orders for the next queued rows, each claimed by one conditional update."""
    with transaction.atomic():
        # Dispatchers stand in line behind the judges' rows (on SQLite behind the write lock); without that two of
        # them could each count the same free place.
        earliest, latest = around(timezone.now())
        judges = _JUDGES.rows(earliest=earliest, latest=latest)
        if not judges:
            return []
        now = timezone.now()
        room = OUT_PER_JUDGE * len(judges) - len(_OUT.rows(now=now))
        if room <= 0:
            return []
        libraries = libraries_of(judges)
        sendable = tuple(slug for slug, exercise in current_exercises().items() if exercise.library in libraries)
        rows = _next_in_turn(sendable, room).rows(now=now)
        return [order for row in rows if (order := _claim_row(row, current_exercises()[row.exercise])) is not None]


@lru_cache(maxsize=32)  # as many as there are judges, twice; what can be sent changes with them
def _next_in_turn(sendable: tuple[str, ...], room: int) -> Statement[Submission]:
    return Statement(
        lambda: Submission.objects.in_turn(Given("now", datetime)).filter(exercise__in=sendable)[:room],
    )


def _claim_row(row: Submission, exercise: Exercise) -> GradeOrder | None:
    now = timezone.now()
    sent = Delivery(str(row.pk), row.delivery + 1, secrets.token_hex(TICKET_LENGTH // 2))
    seed = secrets.randbits(63) if row.seed is None else row.seed
    claimed = _CLAIM.run(
        pk=row.pk,
        before=row.delivery,
        delivery=sent.delivery,
        ticket=sent.ticket,
        lease_until=now + _lease(exercise),
        now=now,
        seed=seed,
        digest=exercise.digest,
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


def unclaim(sent: Delivery) -> None:
    """Put back a row whose message never left or whose verdict found no room: no grader was lost, none is counted."""
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
        finish(submission, Verdict(Outcome.BROKEN_EXERCISE, sentence), judge="")


def _return_expired(expired: tuple[object, int, str]) -> bool:
    submission_id, delivery, ticket = expired
    with transaction.atomic():
        submission = answered(Delivery(str(submission_id), delivery, ticket))
        if submission is None or submission.state != State.SENT:
            return False
        return_to_queue(submission, "its lease ran out without a verdict")
    return True
