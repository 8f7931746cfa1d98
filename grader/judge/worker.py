"""The judge as a Celery worker: takes orders from its queues and answers to the recorder. Its own app, without Django.

celery -A grader.judge.worker worker -Q judge.interactive -c 1

Where the sandbox refuses, the worker does not start: it says why every ten seconds and tries again every minute, while
submissions wait in the site's database.
"""

import logging
import logging.config
import time
from functools import partial
from typing import Any, ClassVar

from celery import Celery
from celery.signals import setup_logging, worker_init, worker_ready, worker_shutdown

from courseware.concepts.faults import Faults
from grader.doors import DOOR
from grader.exercise_files import load_exercises
from grader.judge.presence import REPORT_SECONDS, Isolation, Presence, describe, probe_isolation
from grader.judge.reception import Reception
from grader.judge.settings import read_settings
from grader.log_lines import logging_options
from grader.messages import GRADE, JUDGE_ALIVE, RECORDER_QUEUE
from grader.sandbox.cell import Cell
from grader.sandbox.devices import Device
from grader.sandbox.keeper import Keeper
from grader.sandbox.nursery import present_libraries
from grader.sandbox.replies import SandboxUnavailable
from grader.sandbox.rungs import Rung
from grader.sandbox.runner import Take, open_guest
from grader.transport import celery_options

# The guest's own clock ends a submission long before; these end a judge that hangs for a reason of ours. The first
# still sends a verdict, the second leaves the submission to its lease.
SOFT_SECONDS = 150
HARD_SECONDS = 180
PROBE_AGAIN_SECONDS = 60.0

logger = logging.getLogger(__name__)

settings = read_settings()
logging.config.dictConfig(logging_options(settings.log_format))
# Whoever listens to this sets the log up; it stands, in the children of the pool too.
setup_logging.connect(lambda **_: None, weak=False)
app = Celery("judge", set_as_current=False)
app.conf.update(
    celery_options(settings.broker_url, settings.var_path, side="judge"),
    task_soft_time_limit=SOFT_SECONDS,
    task_time_limit=HARD_SECONDS,
    worker_consumer=DOOR,
)

_faults = Faults()
exercises = load_exercises(settings.course_path, _faults)
for _fault in _faults:
    logger.error("an exercise is left out: %s", _fault)


def send(task: str, message: dict[str, Any]) -> None:
    """Send a message to the recorder."""
    app.send_task(task, args=[message], queue=RECORDER_QUEUE)


class _Watch:
    """What the worker's main process knows of itself between its signals; its children are forked with it."""

    presence: Presence | None = None
    isolation: Isolation | None = None
    keepers: ClassVar[dict[Device, Keeper]] = {}


def keep(rung: Rung) -> Take:
    """Start a supervisor whose guests are shut in this way, in place of one before it, and one on the CPU beside it."""
    _stop_keepers()
    for device in {settings.device, Device.CPU}:
        _Watch.keepers[device] = Keeper(
            uid=settings.sandbox_uid,
            libraries=present_libraries(),
            rung=rung,
            device=device,
            log_format=settings.log_format,
        )
        _Watch.keepers[device].start()
    return _Watch.keepers[settings.device].take


def _stop_keepers() -> None:
    for keeper in _Watch.keepers.values():
        keeper.stop()
    _Watch.keepers.clear()


def take(device: Device) -> Cell:
    """Return a guest of the supervisor that is running for this device."""
    if device not in _Watch.keepers:
        raise SandboxUnavailable("no way to shut programs in has been found yet")
    return _Watch.keepers[device].take()


reception = Reception(
    judge_name=settings.name,
    exercises=exercises,
    opener=partial(open_guest, take=partial(take, settings.device), device=settings.device),
    plain_opener=partial(open_guest, take=partial(take, Device.CPU)),
    send=send,
    cache=settings.var_path / "known-rules",
)


@app.task(name=GRADE)
def grade(message: object) -> None:
    """Judge one submission."""
    reception.take(message)


def report(isolation: Isolation) -> None:
    """Tell the site that this judge is there."""
    send(JUDGE_ALIVE, describe(settings.name, exercises, isolation).to_message())


def wait_for_isolation() -> Isolation:
    """Return how guests are shut in here, as soon as they are; say why not until then."""
    while True:
        isolation = probe_isolation(exercises, settings.sandbox_uid, keep, device=settings.device)
        if isolation.refusal is None:
            return isolation
        probe_again = time.monotonic() + PROBE_AGAIN_SECONDS
        while time.monotonic() < probe_again:
            try:
                report(isolation)
            except app.connection_for_write().connection_errors as error:
                logger.error("the judge could not report itself: %s", error)
            time.sleep(REPORT_SECONDS)


@worker_init.connect
def _prove_isolation(**_: object) -> None:
    # Before the pool is forked and any queue is consumed: an order that is never taken cannot be lost.
    _Watch.isolation = wait_for_isolation()


@worker_ready.connect
def _begin_reports(**_: object) -> None:
    if _Watch.isolation is None:
        raise SystemExit("the sandbox was never tried, so this judge may not take orders")
    _Watch.presence = Presence(partial(report, _Watch.isolation))
    _Watch.presence.start()


@worker_shutdown.connect
def _end_reports(**_: object) -> None:
    if _Watch.presence is not None:
        _Watch.presence.stop()
    _stop_keepers()
