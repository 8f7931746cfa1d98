"""What a page says while a submission waits or is graded: where it stands, why, and what happens by itself."""

from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from grader import measures, pipe, words
from grader.catalogue import current_exercises
from grader.dispatching import OUT_PER_JUDGE
from grader.judges import libraries_of
from grader.models import JudgeHost, State, Submission
from grader.verdicts import CheckOutcome

# A place is looked for among this many rows; nobody needs to know whether it is the 501st or the 502nd.
PLACES_COUNTED = 500
# Two rounds of the periodic dispatch: whoever is next for longer than that is being held up.
SHOULD_HAVE_LEFT = timedelta(seconds=12)
# By then whoever looks on wonders whether looking on is needed.
LONG_WAIT = timedelta(minutes=1)


@dataclass(frozen=True)
class Stage:
    """One line of the way from the queue to the verdict."""

    shape: str  # of the mark beside it
    tone: str  # class that colours the mark
    sentence: str
    note: str = ""
    is_now: bool = False


def stages(submission: Submission) -> tuple[Stage, ...]:
    """Return the four stages of a live submission, of which one is now."""
    exercise = current_exercises().get(submission.exercise)
    total = 0 if exercise is None else len(exercise.examples if submission.is_run else exercise.checks)
    received = Stage(
        "right",
        "right",
        f"Received {words.clock_seconds(submission.queued_at)}",
        _kept(submission),
    )
    verdict = Stage("open", "open", "Verdict" if submission.is_run else "Verdict and diagnosis")
    if submission.state == State.QUEUED:
        return received, _in_line(submission), Stage("open", "open", f"{total} {_what_runs(submission)}s"), verdict
    reached = sum(result.outcome != CheckOutcome.NOT_REACHED.value for result in submission.checks)
    sent_at = submission.started_at or submission.queued_at
    if not JudgeHost.objects.grading().exists():
        silent = _held("Its grader has gone silent.", "It is sent again by itself when a grader is back.")
        return received, silent, Stage("open", "open", f"{total} {_what_runs(submission)}s"), verdict
    return (
        received,
        Stage("right", "right", f"With a grader since {words.clock_seconds(sent_at)}", _deliveries(submission)),
        Stage("begun", "open", _running(submission, min(reached + 1, max(total, 1)), total), is_now=True),
        verdict,
    )


def _kept(submission: Submission) -> str:
    if timezone.now() - submission.queued_at < LONG_WAIT:
        return f"{_name(submission)} is stored. You may leave; it will be graded either way."
    return f"This takes a while. You may leave: {_name(submission).lower()} is kept, and its verdict will stand here."


def _name(submission: Submission) -> str:
    return f"{'Run' if submission.is_run else 'Submission'} {submission.number}"


def _running(submission: Submission, number: int, total: int) -> str:
    return f"Running, {_what_runs(submission)} {number} of {total}"


def _what_runs(submission: Submission) -> str:
    return "example" if submission.is_run else "check"


def _deliveries(submission: Submission) -> str:
    return "An earlier grader was lost; this is another one." if submission.delivery > 1 else ""


def _in_line(submission: Submission) -> Stage:
    judges = list(JudgeHost.objects.grading())
    if not judges:
        return _held("No grader is running.", "Your submission is stored and starts when one is back.")
    exercise = current_exercises().get(submission.exercise)
    if exercise is not None and exercise.library not in libraries_of(judges):
        return _held(
            f"No grader has {words.LIBRARIES[exercise.library]} yet.",
            "Your submission is stored and starts when one has it.",
        )
    if pipe.is_silent():
        return _held("The way to the graders is down.", "Your submission is stored and is sent when it is back.")
    return _place(submission, judges)


def _place(submission: Submission, judges: list[JudgeHost]) -> Stage:
    sendable = [slug for slug, each in current_exercises().items() if each.library in libraries_of(judges)]
    waiting = Submission.objects.in_turn().filter(exercise__in=sendable)[:PLACES_COUNTED]
    line = list(waiting.values_list("pk", flat=True))
    if submission.pk not in line:
        return Stage("begun", "open", f"In line, behind more than {PLACES_COUNTED} others", is_now=True)
    place = line.index(submission.pk) + 1
    graders = f"{words.cardinal(len(judges))} {'grader is' if len(judges) == 1 else 'graders are'} working."
    if place > 1:
        note = f"{graders} {_expected_start(place, len(judges))}".rstrip()
        return Stage("begun", "open", f"{words.ordinal(place)} in line", note, is_now=True)
    again = "Its grader was lost; it is sent again by itself." if submission.delivery else ""
    if not again and timezone.now() - submission.queued_at > SHOULD_HAVE_LEFT:
        again = f"{graders} It starts as soon as one is free."
    return Stage("begun", "open", "Next in line", again, is_now=True)


def _expected_start(place: int, judges: int) -> str:
    """Return when a place in line comes up, "" while nothing was graded lately.

    Rows leave as fast as they come back: of those that may be out at once, each comes back within the median.
    """
    out = measures.rolling_median_out()
    if out is None:
        return ""
    return f"Yours should start in about {words.about(place * out / (OUT_PER_JUDGE * judges))}."


def _held(sentence: str, note: str) -> Stage:
    return Stage("heed", "heed", sentence, note, is_now=True)
