"""Writes the log of a sitting, in the transaction of what happened."""

import logging
from collections.abc import Mapping
from datetime import datetime

from quizzes.models import Event, EventKind, Sitting, Slot

logger = logging.getLogger(__name__)


def note(
    sitting: Sitting,
    kind: EventKind,
    at: datetime,
    slot: Slot | None = None,
    detail: Mapping[str, object] | None = None,
) -> None:
    """Write down that something happened."""
    Event.objects.create(sitting=sitting, slot=slot, kind=kind, at=at, detail=detail or {})
    # What was answered stays out of the log: the detail of a save holds it.
    position = {} if slot is None else {"position": slot.position}
    logger.info("sitting %s", kind.value, extra={"facts": {"sitting": sitting.pk, **position}})
