"""The door of a worker: which messages reach Celery at all, whoever put them into its queue.

Recorder and judge both stand behind it: set `worker_consumer` to `DOOR`. Knows Celery; knows neither Django nor a task.

Celery trusts whoever may write to its queues. A message may carry follow-up tasks, which the worker that ran it
publishes, and orders to the worker itself (time limits that kill it, a time before which it must hold a message back).
Headers or a body of a form that Celery does not expect end the worker, which meets the same message when it is back.
"""

import logging
import uuid
from collections.abc import Callable
from typing import Any

from celery.worker.consumer import Consumer
from kombu.exceptions import KombuError

DOOR = "grader.doors:DoorKeeper"

logger = logging.getLogger(__name__)

_NO_MESSAGE = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


class DoorKeeper(Consumer):  # type: ignore[misc]  # Celery ships no types
    """Hands on what is one argument for a task that this worker has; drops everything else and says so."""

    connection_errors: tuple[type[Exception], ...]  # set by Celery

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # What lies in a queue and is no message at all is met by Kombu, which does not expect it. A connection that
        # failed is made anew; anything else would end the worker.
        self.connection_errors = (*self.connection_errors, *_NO_MESSAGE)

    def create_task_handler(self, *arguments: Any, **options: Any) -> Callable[[Any], Any]:
        hand_on = super().create_task_handler(*arguments, **options)

        def receive(message: Any) -> Any:
            name, fault = _task_or_fault(message, self.app.tasks)
            if fault:
                logger.error("refused a message: %s", fault)
                return message.ack_log_error(logger, self.connection_errors)
            # Nothing that the sender wrote above the body counts.
            message.headers = {"task": name, "id": str(uuid.uuid4())}
            return hand_on(message)

        return receive


def _task_or_fault(message: Any, known: Any) -> tuple[str, str]:
    """Return the task that a message is for, and why it is refused, "" if it is not."""
    headers = message.headers
    name = headers.get("task") if isinstance(headers, dict) else None
    if not isinstance(name, str) or name not in known:
        return "", f"no task of this worker: {str(name)[:80]!r}"
    if headers.get("eta") is not None or headers.get("timelimit") not in (None, [None, None]):
        return name, f"{name} with orders to the worker"
    try:
        payload = message.payload
    except KombuError as error:  # another content type than JSON, or no JSON
        return name, f"{name} that cannot be read: {type(error).__name__}"
    return name, "" if _is_plain(payload) else f"{name} with more or less than one argument"


def _is_plain(payload: Any) -> bool:
    """Tell whether a body is [[one object], {}, no follow-ups]."""
    if not isinstance(payload, list) or len(payload) != 3:
        return False
    arguments, keywords, follow_ups = payload
    asks_for_one = isinstance(arguments, list) and len(arguments) == 1 and keywords == {}
    return asks_for_one and isinstance(follow_ups, dict) and not any(follow_ups.values())
