"""How a submission's state is shown in a line: a mark, the class that colours it, and a word."""

from dataclasses import dataclass

from grader.models import State, Submission
from grader.verdicts import Outcome


@dataclass(frozen=True)
class Sign:
    shape: str
    tone: str
    word: str


_OUTCOMES = {
    Outcome.RIGHT: Sign("right", "right", "Right"),
    Outcome.FRAGILE: Sign("heed", "heed", "Right, but fragile"),
    Outcome.WRONG: Sign("wrong", "wrong", "Wrong"),
    Outcome.ERROR: Sign("wrong", "wrong", "Stopped"),
    Outcome.TIME: Sign("wrong", "wrong", "Out of time"),
    Outcome.MEMORY: Sign("wrong", "wrong", "Out of memory"),
    Outcome.OUTPUT: Sign("wrong", "wrong", "Too much output"),
    Outcome.REFUSED: Sign("wrong", "wrong", "Not graded"),
    Outcome.BROKEN_EXERCISE: Sign("clock", "open", "No verdict"),
    Outcome.OPERATOR: Sign("clock", "open", "No verdict"),
}
_STATES = {
    State.QUEUED: Sign("begun", "open", "Waiting"),
    State.SENT: Sign("begun", "open", "Being graded"),
    State.CANCELLED: Sign("open", "open", "Taken back"),
}


def sign_of(submission: Submission) -> Sign:
    """Return the sign of a submission in any state."""
    if submission.state == State.FINISHED:
        return _OUTCOMES[Outcome(submission.verdict)]
    return _STATES[State(submission.state)]
