"""Verbs and queries about what somebody has read."""

import logging
from datetime import datetime, timedelta

from django.db import OperationalError
from django.utils import timezone

from courseware.accounts.models import User
from courseware.statements import Given, Statement
from courseware.study.models import Depth, Reading

# Reloading a page within a minute is the same reading: one write less per click.
SAME_READING = timedelta(minutes=1)

logger = logging.getLogger(__name__)

_LAST_AT: Statement[datetime] = Statement(
    lambda: Reading.objects.filter(
        user=Given("user", int), concept=Given("concept", str), depth=Given("depth", str)
    ).values_list("last_at", flat=True)
)
_DEPTHS: Statement[tuple[str, str]] = Statement(
    lambda: Reading.objects.filter(user=Given("user", int)).order_by("last_at").values_list("concept", "depth")
)


def note_reading(user: User, module: str, concept: str, depth: Depth) -> None:
    """Remember that this person opened a card at this depth; a card is shown although that cannot be written down."""
    try:
        _note(user, module, concept, depth, timezone.now())
    except OperationalError:
        logger.exception("a reading is not written down")


def _note(user: User, module: str, concept: str, depth: Depth, now: datetime) -> None:
    last_at = _LAST_AT.first(user=user.pk, concept=concept, depth=depth.value)
    if last_at is None:
        # Of two pages opened at once the second finds the first one's row.
        defaults = {"module": module, "first_at": now, "last_at": now}
        Reading.objects.get_or_create(user=user, concept=concept, depth=depth, defaults=defaults)
    elif now - last_at > SAME_READING:
        Reading.objects.filter(user=user, concept=concept, depth=depth).update(last_at=now)


def depths_read(user: User) -> tuple[dict[str, set[str]], str]:
    """Return the depths that this person has opened, by concept, and the concept opened last, empty if none was."""
    depths: dict[str, set[str]] = {}
    latest = ""
    for latest, depth in _DEPTHS.rows(user=user.pk):
        depths.setdefault(latest, set()).add(depth)
    return depths, latest
