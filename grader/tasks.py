"""The recorder's three tasks and the periodic one, each a thin door to a verb.

`courseware/recorder.py` and `courseware/periodic.py` register them, each process its own and no other. What a judge
sends is hostile until every field was read; a message that fails is logged and dropped, since sending it again would
change nothing. What is not even a message for one of these is turned away at the door (`doors.py`).
"""

import logging
from collections.abc import Callable
from typing import TypeVar

from grader import dispatching, judges, submissions
from grader.messages import JUDGE_ALIVE, PROGRESS, VERDICT, JudgeAlive, ProgressNote, VerdictNote

DISPATCH = "periodic.dispatch"

Note = TypeVar("Note")

logger = logging.getLogger(__name__)


def progress(message: object) -> None:
    """Keep the checks that a judge has run so far."""
    note = _read(ProgressNote.from_message, message)
    if note is not None:
        submissions.record_progress(note)


def verdict(message: object) -> None:
    """End a submission with a judge's verdict."""
    note = _read(VerdictNote.from_message, message)
    if note is not None:
        submissions.record_verdict(note)


def judge_alive(message: object) -> None:
    """Keep what a judge says of itself."""
    alive = _read(JudgeAlive.from_message, message)
    if alive is not None:
        judges.record_alive(alive)


def dispatch() -> None:
    """Send what waits, send again what was lost, forget judges that are gone."""
    dispatching.put_right()
    dispatching.dispatch()
    judges.forget_silent_judges()


RECORDER_TASKS: dict[str, Callable[[object], None]] = {PROGRESS: progress, VERDICT: verdict, JUDGE_ALIVE: judge_alive}
PERIODIC_TASKS: dict[str, Callable[[], None]] = {DISPATCH: dispatch}


def _read(read: Callable[[object], Note], message: object) -> Note | None:
    try:
        return read(message)
    except ValueError as fault:
        logger.error("dropped a message from a judge: %s", fault)
        return None
