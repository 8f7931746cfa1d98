"""What a verb of a sitting answers: a receipt, or a refusal that says in a sentence what the learner can do. Pure."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from quizzes.questions import Answer


class RefusalReason(Enum):
    NOT_YET_OPEN = "not yet open"
    NO_LONGER_OPEN = "no longer open"
    NO_ATTEMPT_LEFT = "no attempt left"
    NOT_A_LEARNER = "not a learner here"
    NO_BLUEPRINT = "no blueprint"
    CLOSED = "closed"
    STALE = "stale"
    FINAL = "final"
    NOTHING_ANSWERED = "nothing answered"
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
