"""What the status page says: whether submissions are graded, by what, and what everybody should know of this site."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from courseware.accounts.access import teaches
from courseware.accounts.models import User
from courseware.concepts.course import current
from courseware.operations.backups.folder import Backup, newest_backup
from courseware.operations.disks import Disk, disks
from courseware.operations.versions import versions
from grader.catalogue import current_exercises
from grader.judges import libraries_of
from grader.measures import Queue, queue_now
from grader.models import JudgeHost, Submission

LIBRARY_NAMES = {"numpy": "NumPy", "pytorch": "PyTorch"}
BACKUP_AGE_LIMIT = timedelta(days=2)  # a nightly one that failed once is forgiven


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
class Machinery:
    """What the people who run the site look at."""

    queue: Queue
    disks: tuple[Disk, ...]
    backup: Backup | None
    backup_is_old: bool
    backup_folder: str  # empty for those who teach here and do not run the site
    versions: tuple[tuple[str, str], ...]
    broker: str
    course_digest: str


@dataclass(frozen=True)
class SiteState:
    """All that the status page shows; what only staff may read is empty for everybody else."""

    grades: bool
    waiting: int
    oldest_waiting_since: datetime | None
    missing_libraries: tuple[str, ...]  # that an exercise asks for and no judge has
    judges: tuple[JudgeState, ...]
    machinery: Machinery | None
    is_embedded: bool  # site and judge are one account on one machine
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
        machinery=_machinery(user) if is_for_staff else None,
        is_embedded=settings.BROKER_URL.startswith("filesystem"),
        course_is_public=settings.COURSE_IS_PUBLIC and is_for_staff,
    )


def _machinery(user: User) -> Machinery:
    backup = newest_backup(settings.BACKUP_PATH)
    return Machinery(
        queue=queue_now(),
        disks=disks(),
        backup=backup,
        backup_is_old=backup is not None and timezone.now() - backup.made_at > BACKUP_AGE_LIMIT,
        backup_folder=str(settings.BACKUP_PATH) if user.is_staff else "",
        versions=versions(),
        broker={"redis": "Redis", "rediss": "Redis over TLS"}.get(settings.BROKER_URL.partition("://")[0], "files"),
        course_digest=current().digest,
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
