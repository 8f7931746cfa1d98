"""The page for Prometheus. Every figure is read from the database when it is asked for, so any process may answer."""

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from courseware.concepts.course import current
from courseware.operations.backups.folder import newest_backup
from courseware.operations.disks import disks
from courseware.operations.versions import RELEASE
from grader.measures import Spread, finished_by_verdict, pace, queue_now
from grader.models import JudgeHost
from grader.verdicts import Outcome
from quizzes.models import Sitting

CONTENT_TYPE = CONTENT_TYPE_LATEST
LATELY = timedelta(hours=1)


def page() -> bytes:
    """Return all figures as Prometheus reads them."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Figures())
    return generate_latest(registry)


class _Figures(Collector):
    def collect(self) -> Iterator[Metric]:
        yield from _of_grading()
        yield _gauge("sittings_open", "Sittings that are open.", Sitting.objects.filter(closed_at=None).count())
        yield from _of_this_machine()

    def describe(self) -> Iterator[Metric]:
        """Describe nothing: registering must not ask the database."""
        return iter(())


def _of_grading() -> Iterator[Metric]:
    queue = queue_now()
    yield _gauge("submissions_queued", "Submissions that wait for a judge.", queue.queued)
    yield _gauge("submissions_out", "Submissions that a judge was sent.", queue.sent)
    yield _gauge("submissions_oldest_seconds", "How long the oldest one has waited.", queue.oldest_seconds)
    yield _gauge("judges_alive", "Judges that reported lately and grade.", JudgeHost.objects.grading().count())
    finished = CounterMetricFamily(f"{_PREFIX}submissions_finished", "Submissions that ended.", labels=["verdict"])
    counted = finished_by_verdict()
    for outcome in Outcome:  # all of them, so that a verdict's first occurrence counts as one
        finished.add_metric([outcome.value], counted.get(outcome.value, 0))
    yield finished
    lately = pace(LATELY)
    yield _quantiles("submission_wait_seconds", "Wait of those that ended in the last hour.", lately.wait)
    yield _quantiles("submission_run_seconds", "Time at a judge of those that ended in the last hour.", lately.run)


def _of_this_machine() -> Iterator[Metric]:
    free = GaugeMetricFamily(f"{_PREFIX}disk_free_bytes", "Room left on a disk.", labels=["disk"])
    for disk in disks():
        free.add_metric([disk.name], disk.free_bytes)
    yield free
    backup = newest_backup(settings.BACKUP_PATH)
    yield _gauge(
        "last_backup_timestamp_seconds",
        "When the newest backup was made; 0 if there is none.",
        backup.made_at.timestamp() if backup else 0,
    )
    build = GaugeMetricFamily(f"{_PREFIX}build_info", "What runs here.", labels=["release", "course"])
    build.add_metric([RELEASE, current().digest], 1)
    yield build


_PREFIX = "courseware_"


def _gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"{_PREFIX}{name}", meaning, value=value)


def _quantiles(name: str, meaning: str, spread: Spread | None) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"{_PREFIX}{name}", meaning, labels=["quantile"])
    if spread is not None:
        family.add_metric(["0.5"], spread.median_seconds)
        family.add_metric(["0.95"], spread.most_seconds)
    return family
