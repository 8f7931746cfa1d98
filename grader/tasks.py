"""The recorder's three tasks and the periodic one, each a thin door to a verb.

`courseware/recorder.py` and `courseware/periodic.py` register them, each process its own and no other. What a judge
sends is hostile until every field was read; a message that fails is logged and dropped, since sending it again would
change nothing.
"""

import logging
from collections.abc import Callable
from typing import Any, TypeVar

from celery.worker.strategy import default as handle_message

from grader import judges, submissions
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
    submissions.dispatch()
    judges.forget_silent_judges()


RECORDER_TASKS: dict[str, Callable[[object], None]] = {PROGRESS: progress, VERDICT: verdict, JUDGE_ALIVE: judge_alive}
PERIODIC_TASKS: dict[str, Callable[[], None]] = {DISPATCH: dispatch}

# Registered with `Strategy=PLAIN_MESSAGES_ONLY`, a task refuses what `plain_messages_only` refuses.
PLAIN_MESSAGES_ONLY = "grader.tasks:plain_messages_only"


def plain_messages_only(task: Any, app: Any, consumer: Any, **options: Any) -> Callable[..., Any]:
    """Return Celery's handler for a task's messages, behind a door that takes one argument and no extras.

    A Celery message may carry follow-up tasks (callbacks, errbacks, chain, chord), which the worker that ran it
    publishes, and time limits, which kill it. A judge must not be able to make the recorder write to other queues.
    """
    handle = handle_message(task, app, consumer, **options)

    def handle_if_plain(message: Any, body: Any, ack: Any, reject: Any, callbacks: Any, **more: Any) -> Any:
        if _is_plain(message):
            return handle(message, body, ack, reject, callbacks, **more)
        logger.error("refused a message to %s that asks for more than one task", task.name)
        return message.ack_log_error(logger, consumer.connection_errors)

    return handle_if_plain


def _is_plain(message: Any) -> bool:
    """Tell whether a message is [[one object], {}, no follow-ups] with no time limits."""
    payload = message.payload
    if not isinstance(payload, list) or len(payload) != 3:
        return False
    arguments, keywords, follow_ups = payload
    asks_for_one = isinstance(arguments, list) and len(arguments) == 1 and keywords == {}
    has_follow_ups = not isinstance(follow_ups, dict) or any(value for value in follow_ups.values())
    return asks_for_one and not has_follow_ups and not any(message.headers.get("timelimit") or ())


def _read(read: Callable[[object], Note], message: object) -> Note | None:
    try:
        return read(message)
    except ValueError as fault:
        logger.error("dropped a message from a judge: %s", fault)
        return None
