"""Which judges there are, and the verb `record_alive` by which they stay known."""

import logging
from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from grader.messages import JudgeAlive
from grader.models import JudgeHost

# A judge that invents names may not fill the table: no installation of ours has more.
MOST_JUDGES = 64
PROCESSOR = "cpu"  # what a judge calls it
FORGOTTEN_AFTER = timedelta(days=1)

logger = logging.getLogger(__name__)


def record_alive(alive: JudgeAlive) -> bool:
    """Keep what a judge says of itself; False if there are already too many names."""
    described = {
        "seen_at": timezone.now(),
        "rung": alive.rung,
        "rung_reason": alive.rung_reason,
        "device": alive.device,
        "versions": dict(alive.versions),
        "exercises_digest": alive.exercises_digest,
        "libraries": list(alive.libraries),
        "refusal": alive.refusal or "",
    }
    if JudgeHost.objects.filter(name=alive.judge).update(**described):
        return True
    if JudgeHost.objects.count() >= MOST_JUDGES:
        logger.error("judge %r was not recorded: %s others are known", alive.judge, MOST_JUDGES)
        return False
    JudgeHost.objects.update_or_create(name=alive.judge, defaults=described)
    return True


def libraries_of(judges: Sequence[JudgeHost]) -> set[str]:
    """Return the libraries that at least one of these judges has."""
    return {library for judge in judges for library in judge.libraries}


def device_of(name: str) -> str:
    """Return the device on which a judge's guests compute, as it said last; "" for the processor."""
    device = JudgeHost.objects.filter(name=name).values_list("device", flat=True).first() or PROCESSOR
    return "" if device == PROCESSOR else device


def forget_silent_judges() -> int:
    """Delete judges that were not heard of for a day; return how many."""
    deleted, _ = JudgeHost.objects.filter(seen_at__lt=timezone.now() - FORGOTTEN_AFTER).delete()
    return deleted
