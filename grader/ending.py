"""How a delivery of a submission ends: with a verdict in its row, or with the row back in the queue.

Owns those changes of a row and the lock under which a delivery may make them. It must not know who sends rows out.
"""

import logging
import uuid
from dataclasses import replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import partial

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from courseware.statements import Change, Given, Statement
from grader.catalogue import current_exercises
from grader.judges import device_of
from grader.messages import Delivery
from grader.models import MARK_PLACES, Kind, State, Submission, SubmissionQuerySet
from grader.reports import write_results
from grader.verdicts import Outcome, Owner, Verdict

MAX_DELIVERIES = 3  # a program that took three judges with it will take the fourth

_ANSWERED: Statement[Submission] = Statement(
    lambda: (
        Submission.objects.delivered_as(
            submission=Given("submission", uuid.UUID), delivery=Given("delivery", int), ticket=Given("ticket", str)
        )
        .filter(Q(state=State.SENT) | Q(state=State.CANCELLED))
        .select_for_update()
    )
)
_FINISH = Change(
    lambda: (
        Submission.objects.filter(pk=Given("submission", uuid.UUID), state=Given("before", str)),
        {
            "state": State.FINISHED,
            "ticket": "",
            "lease_until": None,
            "finished_at": Given("finished_at", datetime),
            "verdict": Given("verdict", str),
            "fault_of": Given("fault_of", str),
            "mark": Given("mark", Decimal),
            "misconception_ids": Given("misconception_ids", dict),
            "evidence": Given("evidence", dict),
            "behaviour_signature": Given("behaviour_signature", str),
        },
    )
)

logger = logging.getLogger("grader.submissions")  # one name for all that becomes of a submission


def answered(sent: Delivery) -> Submission | None:
    """Return the row that this very delivery may still change, locked until the transaction ends."""
    return _ANSWERED.first(submission=uuid.UUID(sent.submission), delivery=sent.delivery, ticket=sent.ticket)


def return_to_queue(submission: Submission, reason: str) -> None:
    logger.error("submission %s, delivery %s: %s", submission.pk, submission.delivery, reason)
    if submission.delivery >= MAX_DELIVERIES:
        sentence = "Three graders were lost over this submission. That is ours to mend; nothing was charged."
        finish(submission, Verdict(Outcome.OPERATOR, sentence, reason=reason), judge="")
        return
    submission.results.all().delete()
    this_row(submission).update(state=State.QUEUED, ticket="", lease_until=None)


def finish(submission: Submission, verdict: Verdict, *, judge: str) -> None:
    """Write the verdict into a row that the caller has locked or that nobody else can change."""
    evidence = replace(verdict, checks=(), examples=()).to_message()
    evidence |= {"judge": judge, "device": _device(submission, judge)}
    for column in ("checks", "examples", "outcome", "behaviour_signature"):
        del evidence[column]
    earns = submission.kind == Kind.SUBMIT and verdict.owner is Owner.LEARNER and submission.marks_available is not None
    finished = _FINISH.run(
        submission=submission.pk,
        before=submission.state,
        finished_at=timezone.now(),
        verdict=verdict.outcome.value,
        fault_of=verdict.owner.value,
        mark=_mark(verdict.fraction, submission.marks_available) if earns else None,
        misconception_ids=_misconceptions(verdict),
        evidence=evidence,
        behaviour_signature=verdict.behaviour_signature,
    )
    if finished:
        write_results(submission, checks=verdict.checks, examples=verdict.examples)
        log_event("submission finished", submission.pk, verdict=verdict.outcome.value, judge=judge or "none")


def this_row(submission: Submission) -> SubmissionQuerySet:
    return Submission.objects.filter(pk=submission.pk)


def log_event(event: str, submission: object, **facts: object) -> None:
    # When it is certain: a database without room takes back what was already written.
    line = partial(logger.info, event, extra={"facts": {"submission": submission, **facts}})
    transaction.on_commit(line)


def _device(submission: Submission, judge: str) -> str:
    """Return the device that the program ran on; "" for a processor, as for all programs in NumPy."""
    exercise = current_exercises().get(submission.exercise)
    return device_of(judge) if exercise is not None and exercise.library == "pytorch" else ""


def _mark(fraction: Decimal, available: Decimal | None) -> Decimal:
    return (fraction * (available or Decimal(0))).quantize(MARK_PLACES, ROUND_HALF_UP)


def _misconceptions(verdict: Verdict) -> list[str]:
    named = (verdict.diagnosis.misconception, verdict.diagnosis.also) if verdict.diagnosis else ()
    return [each for each in named if each]
