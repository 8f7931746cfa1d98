"""The site's end of the broker: sends orders to judges and remembers for a moment that a broker did not answer."""

import logging
from collections.abc import Sequence

import kombu.exceptions
from celery import Celery, current_app
from django.core.cache import cache

from grader.messages import GRADE, INTERACTIVE_QUEUE, GradeOrder

# Somewhat longer than the time between two periodic dispatches, each of which renews it.
SILENCE_SECONDS = 20
_SILENT = "grader.pipe.silent"

logger = logging.getLogger(__name__)


def send_orders(orders: Sequence[GradeOrder]) -> int:
    """Send each order as one message; return how many left before the broker failed, all of them if it did not."""
    if not orders:
        return 0
    sent = 0
    app: Celery = current_app
    try:
        with app.producer_or_acquire() as producer:
            for order in orders:
                app.send_task(GRADE, args=[order.to_message()], queue=INTERACTIVE_QUEUE, producer=producer, retry=False)
                sent += 1
    except _failures(app) as error:
        logger.error("the broker took %s of %s submissions: %s", sent, len(orders), error)
        cache.set(_SILENT, True, SILENCE_SECONDS)
    else:
        cache.delete(_SILENT)
    return sent


def is_silent() -> bool:
    """Tell whether the broker failed to take the last submission that it was given."""
    return bool(cache.get(_SILENT))


def _failures(app: Celery) -> tuple[type[Exception], ...]:
    """Return what a broker raises when it is down; each transport has exceptions of its own."""
    connection = app.connection_for_write()
    return (
        *connection.connection_errors,
        *connection.channel_errors,
        kombu.exceptions.KombuError,
        OSError,
    )
