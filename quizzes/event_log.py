"""Writes the log of a sitting, in the transaction of what happened."""

import logging
import uuid
from collections.abc import Mapping
from datetime import datetime
from functools import partial

from django.db import transaction

from courseware.statements import Change, Given
from quizzes.models import Event, EventKind, Sitting, Slot

_WRITE = Change(
    lambda: [
        Event(  # type: ignore[misc]  # that a UUID may be an expression too is unknown to the stubs
            sitting_id=Given("sitting", uuid.UUID),
            slot_id=Given("slot", int),
            kind=Given("kind", str),
            at=Given("at", datetime),
            detail=Given("detail", dict),
        )
    ]
)

logger = logging.getLogger(__name__)


def note(
    sitting: Sitting,
    kind: EventKind,
    at: datetime,
    slot: Slot | None = None,
    detail: Mapping[str, object] | None = None,
) -> None:
    """Write down that something happened."""
    _WRITE.run(sitting=sitting.pk, slot=slot and slot.pk, kind=kind.value, at=at, detail=detail or {})
    tell(sitting, kind, slot)


def tell(sitting: Sitting, kind: EventKind, slot: Slot | None = None) -> None:
    """Say in the server's log that something was written down."""
    # What was answered stays out of the log: the detail of a save holds it.
    position = {} if slot is None else {"position": slot.position}
    line = partial(logger.info, "sitting %s", kind.value, extra={"facts": {"sitting": sitting.pk, **position}})
    transaction.on_commit(line)  # a database without room takes back what was already written
