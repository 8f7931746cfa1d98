"""What the status page says: whether submissions are graded, by what, and what everybody should know of this site."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import connection

from courseware.accounts.access import teaches
from courseware.accounts.models import User
from courseware.concepts.course import current
from grader.catalogue import current_exercises
from grader.models import JudgeHost, Submission, libraries_of

LIBRARY_NAMES = {"numpy": "NumPy", "pytorch": "PyTorch"}


@dataclass(frozen=True)
class JudgeState:
    """One judge, in words."""

    name: str
    is_alive: bool
    seen_at: datetime
    device: str
    rung: str
    rung_reason: str
    refusal: str
    versions: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class SiteState:
    """All that the status page shows; what only staff may read is empty for everybody else."""

    grades: bool
    waiting: int
    oldest_waiting_since: datetime | None
    missing_libraries: tuple[str, ...]  # that an exercise asks for and no judge has
    judges: tuple[JudgeState, ...]
    is_for_staff: bool
    is_embedded: bool  # site and judge are one account on one machine
    database: str
    broker: str
    course_digest: str
    course_is_public: bool


def state_of_site(user: User) -> SiteState:
    """Return the state of the site as far as this person may know it."""
    is_for_staff = user.is_staff or teaches(user)
    grading = list(JudgeHost.objects.grading())
    has = libraries_of(grading)
    asked = {exercise.library for exercise in current_exercises().values()}
    waiting = Submission.objects.live()
    oldest = waiting.order_by("queued_at").first()
    alive = {judge.name for judge in JudgeHost.objects.alive()}
    return SiteState(
        grades=bool(grading),
        waiting=waiting.count(),
        oldest_waiting_since=oldest.queued_at if oldest else None,
        missing_libraries=tuple(LIBRARY_NAMES[library] for library in sorted(asked - has)),
        judges=tuple(_judge_state(judge, alive) for judge in JudgeHost.objects.all()) if is_for_staff else (),
        is_for_staff=is_for_staff,
        is_embedded=settings.BROKER_URL.startswith("filesystem"),
        database=connection.vendor if is_for_staff else "",
        broker=settings.BROKER_URL.partition("://")[0] if is_for_staff else "",
        course_digest=current().digest if is_for_staff else "",
        course_is_public=settings.COURSE_IS_PUBLIC and is_for_staff,
    )


def _judge_state(judge: JudgeHost, alive: set[str]) -> JudgeState:
    return JudgeState(
        name=judge.name,
        is_alive=judge.name in alive,
        seen_at=judge.seen_at,
        device=judge.device,
        rung=judge.rung,
        rung_reason=judge.rung_reason,
        refusal=judge.refusal,
        versions=tuple(sorted((str(name), str(version)) for name, version in judge.versions.items())),
    )
