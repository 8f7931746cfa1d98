"""How the queue stands and how fast it moves, counted from the rows. Reads only."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from django.db.models import Count, DurationField, ExpressionWrapper, F
from django.utils import timezone

from grader.models import State, Submission

# Enough that one slow program moves nothing, few enough that a new exercise is soon felt.
_LAST = 50
_LATELY = timedelta(hours=1)


@dataclass(frozen=True)
class Queue:
    """What waits and what is out."""

    queued: int
    sent: int
    oldest_queued_at: datetime | None  # of those that wait; one that is out has a lease

    @property
    def oldest_seconds(self) -> float:
        """How long the oldest has waited; 0 when none waits."""
        return (timezone.now() - self.oldest_queued_at).total_seconds() if self.oldest_queued_at else 0.0


@dataclass(frozen=True)
class Spread:
    """Half of the submissions took no longer than `median_seconds`, all but one in twenty no longer than the other."""

    median_seconds: float
    most_seconds: float


@dataclass(frozen=True)
class Pace:
    """How submissions that ended lately fared; None where none did."""

    wait: Spread | None
    run: Spread | None


def queue_now() -> Queue:
    counted = Counter(Submission.objects.live().order_by().values_list("state", flat=True))
    oldest = Submission.objects.filter(state=State.QUEUED).order_by("queued_at").first()
    return Queue(counted[State.QUEUED], counted[State.SENT], oldest.queued_at if oldest else None)


def finished_by_verdict() -> dict[str, int]:
    """Return how many submissions ever ended, by verdict."""
    # A row has a verdict exactly when it is finished, and the index holds both columns that are read here.
    ended = Submission.objects.filter(finished_at__isnull=False).exclude(verdict="")
    return dict(ended.order_by().values_list("verdict").annotate(rows=Count("*")))


def pace(since: timedelta) -> Pace:
    """Return how long submissions that ended since then had waited and how long they were out."""
    return Pace(wait=_spread(since, "queued_at", "started_at"), run=_spread(since, "started_at", "finished_at"))


def rolling_median_out() -> float | None:
    """Return how many seconds the last that ended were out, in the middle; None where none ended within the hour."""
    lately = Submission.objects.filter(finished_at__gt=timezone.now() - _LATELY, started_at__isnull=False)
    last = lately.exclude(verdict="").order_by("-finished_at").values_list("started_at", "finished_at")[:_LAST]
    lengths = [(finished - started).total_seconds() for started, finished in last if started and finished]
    return median(lengths) if lengths else None


def _spread(since: timedelta, begin: str, end: str) -> Spread | None:
    ended = Submission.objects.filter(finished_at__gt=timezone.now() - since, started_at__isnull=False)
    # Sorted by the database: an hour of a large class is not read into memory for two of its rows.
    lengths = (
        ended.exclude(verdict="")
        .annotate(length=ExpressionWrapper(F(end) - F(begin), output_field=DurationField()))
        .order_by("length")
        .values_list("length", flat=True)
    )
    rows = ended.exclude(verdict="").count()
    if not rows:
        return None
    middle, most = (lengths[_rank(rows, percent)].total_seconds() for percent in (50, 95))
    return Spread(middle, most)


def _rank(rows: int, percent: int) -> int:
    """Return the place of the smallest value that is no less than this share of all (nearest rank), from 0."""
    return max(0, -(-rows * percent // 100) - 1)
