"""What the page of one question shows while its sitting is open, and what it answers to a save.

Everything here reaches a browser before hand-in, so nothing here may hold a key, an explanation or a cause.
"""

import math
import uuid
from dataclasses import dataclass, replace
from functools import lru_cache

from django.utils import timezone

from courseware.accounts.models import User
from courseware.statements import Given, Statement
from quizzes import pointers
from quizzes.closing import close_if_due
from quizzes.feedback import shown_at_once
from quizzes.models import QuestionSnapshot, Response, Sitting
from quizzes.moments import clock, moment
from quizzes.outcomes import Receipt, Refusal
from quizzes.presenting import Shown, present
from quizzes.progress import Progress, progress
from quizzes.questions import Answer, Question, Unreadable, Variant
from quizzes.registry import kind_of
from quizzes.sittings import receipt_of
from quizzes.snapshots import Case, case_of


@dataclass(frozen=True)
class Asked:
    """One question of an open sitting, as the server holds it."""

    sitting: Sitting
    position: int
    snapshot: QuestionSnapshot
    variant: Variant
    receipt: Receipt
    is_flagged: bool
    is_final: bool

    @property
    def question(self) -> Question:
        return self.snapshot.question()


@dataclass(frozen=True)
class TimeLeft:
    """How long an open sitting still takes answers, by the server's clock."""

    seconds: int
    seconds_in_all: int
    closes: str


@dataclass(frozen=True)
class QuestionPage:
    """The variables of the question page."""

    position: int
    count: int
    concept_title: str
    shown: Shown
    key: str  # what is shown can be kept by it; empty for what was just sent and not saved
    revision: int
    receipt: str  # such as "Saved 12:04", empty before the first save
    just_saved: str  # the receipt of the question that was left a moment ago
    fault: str  # why what was typed is not read as an answer
    invalid: tuple[str, ...]  # of several fields, those that it is about
    conflict: str  # why an older page could not overwrite
    is_flagged: bool
    final_shows: str  # what making the answer final shows at once, empty where nothing is
    progress: Progress
    time: TimeLeft | None  # None where nothing ends
    following: int | None
    preceding: int | None


_ASKED: Statement[Response] = Statement(
    lambda: (
        Response.objects.select_related("slot__snapshot", "slot__sitting__assignment__cohort")
        .defer("slot__snapshot__body")  # read once in the life of this process, see QuestionSnapshot.question
        .filter(
            slot__sitting=Given("sitting", uuid.UUID),
            slot__position=Given("position", int),
            slot__sitting__enrolment__user=Given("user", int),
        )
    )
)


def asked(user: User, sitting_id: uuid.UUID, position: int) -> Asked:
    """Return one question of a sitting of this learner, which is closed if its time is up.

    Errors:  Response.DoesNotExist if this learner has no such sitting or question
    """
    response = _ASKED.first(user=user.pk, sitting=sitting_id, position=position)
    if response is None:
        raise Response.DoesNotExist
    response.slot.sitting = close_if_due(response.slot.sitting)
    return asked_of(response)


def asked_of(response: Response) -> Asked:
    """Return the question of a response whose slot, snapshot and sitting were selected with it."""
    slot = response.slot
    return Asked(
        sitting=slot.sitting,
        position=slot.position,
        snapshot=slot.snapshot,
        variant=slot.variant,
        receipt=receipt_of(response),
        is_flagged=slot.flagged,
        is_final=response.final_at is not None,
    )


def question_page(asked: Asked, *, left: int | None = None) -> QuestionPage:
    """Return the page as the server holds the question; `left` is the position that the learner comes from."""
    sitting, receipt = asked.sitting, asked.receipt
    done = progress(sitting)
    case = case_of(asked.snapshot, asked.variant, receipt.answer)
    count = len(done.cells)
    zone = sitting.assignment.zone
    saved = next((cell.saved_at for cell in done.cells if cell.position == left), None)
    return QuestionPage(
        position=asked.position,
        count=count,
        concept_title=pointers.concept_title(asked.question.concept_id),
        shown=_shown(case),
        key=case.key,
        revision=receipt.revision,
        receipt=receipt_line(asked, receipt),
        just_saved=f"Question {left} saved {clock(saved, zone)}" if saved else "",
        fault="",
        invalid=(),
        conflict="",
        is_flagged=asked.is_flagged,
        final_shows=shown_at_once(sitting.assignment),
        progress=done,
        time=time_left(sitting),
        following=asked.position + 1 if asked.position < count else None,
        preceding=asked.position - 1 if asked.position > 1 else None,
    )


@lru_cache(maxsize=2000)  # some 5 kB each
def _shown(case: Case) -> Shown:
    return present(case.question, case.variant, case.answer)


def with_unreadable(page: QuestionPage, fault: Unreadable, asked: Asked) -> QuestionPage:
    """Return the page with what was typed and why it is no answer."""
    shown = present(asked.question, asked.variant, Answer(fault.given)) if fault.given else page.shown
    return replace(page, fault=fault.reason, invalid=fault.fields, shown=shown, key="")


def with_conflict(page: QuestionPage, refusal: Refusal, asked: Asked, sent: Answer | None) -> QuestionPage:
    """Return the page with the answer that was just sent, which the learner may keep by saving once more."""
    return replace(page, conflict=refusal.sentence, shown=present(asked.question, asked.variant, sent), key="")


def receipt_line(asked: Asked, receipt: Receipt) -> str:
    """Return the receipt in words, empty if nothing was ever saved."""
    if receipt.saved_at is None:
        return ""
    at = clock(receipt.saved_at, asked.sitting.assignment.zone)
    if receipt.answer is None:
        return f"Saved {at}, left open"
    read_as = kind_of(asked.question.kind).read_back(receipt.answer)
    return f"Saved {at}, read as {read_as}" if read_as else f"Saved {at}"


def time_left(sitting: Sitting) -> TimeLeft | None:
    """Return how much time there is, None if nothing ends this sitting; the grace is in no number that counts down."""
    deadline = sitting.deadline_at
    if deadline is None:
        return None
    left = (deadline - timezone.now()).total_seconds()
    return TimeLeft(
        seconds=max(0, math.ceil(left)),
        seconds_in_all=int((deadline - sitting.opened_at).total_seconds()),
        closes=moment(deadline, sitting.assignment.zone),
    )


def time_message(sitting: Sitting) -> dict[str, object]:
    """Return, as JSON values, what a script is told of the time."""
    left = time_left(sitting)
    return {
        "is_closed": sitting.is_closed,
        "seconds_left": left and left.seconds,
        "closes": left and left.closes,
    }


def receipt_message(asked: Asked, receipt: Receipt) -> dict[str, object]:
    """Return, as JSON values, what a script is told of a save."""
    return time_message(asked.sitting) | {
        "receipt": receipt_line(asked, receipt),
        "revision": receipt.revision,
        "is_answered": receipt.answer is not None,
    }
