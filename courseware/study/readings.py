"""Verbs and queries about what somebody has read."""

from datetime import timedelta

from django.utils import timezone

from courseware.accounts.models import User
from courseware.study.models import Depth, Reading

# Reloading a page within a minute is the same reading: one write less per click.
SAME_READING = timedelta(minutes=1)


def note_reading(user: User, module: str, concept: str, depth: Depth) -> None:
    """Remember that this person opened a card at this depth."""
    now = timezone.now()
    reading, is_new = Reading.objects.get_or_create(
        user=user,
        concept=concept,
        depth=depth,
        defaults={"module": module, "first_at": now, "last_at": now},
    )
    if not is_new and now - reading.last_at > SAME_READING:
        Reading.objects.filter(pk=reading.pk).update(last_at=now)


def depths_read(user: User) -> dict[str, set[str]]:
    """Return the depths that this person has opened, by concept."""
    depths: dict[str, set[str]] = {}
    for concept, depth in user.readings.values_list("concept", "depth"):
        depths.setdefault(concept, set()).add(depth)
    return depths


def latest_reading(user: User) -> Reading | None:
    """Return what this person opened last."""
    return user.readings.order_by("-last_at").first()
