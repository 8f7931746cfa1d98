"""What a judge reports of itself every ten seconds, and the thread that does it however busy the judge is."""

import contextlib
import importlib.metadata
import logging
import platform
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from grader.exercises import Exercise, exercises_digest
from grader.judge.wording import storable
from grader.messages import JudgeAlive
from grader.sandbox.devices import Device
from grader.sandbox.nursery import Library, present_libraries
from grader.sandbox.probe import Supply, find_rung
from grader.sandbox.replies import SandboxUnavailable

REPORT_SECONDS = 10.0
NO_RUNG = "none"

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Isolation:
    """How well this machine shuts guests in, or why it does not."""

    rung: str
    reason: str
    refusal: str | None  # None where guests may run
    # As found when the judge started: a library that is being installed meanwhile is there only in part.
    libraries: tuple[Library, ...]
    device: str = Device.CPU.value  # the name of what guests were found to compute on


def probe_isolation(
    exercises: Mapping[str, Exercise],
    sandbox_uid: int,
    supply: Supply | None = None,
    *,
    device: Device = Device.CPU,
) -> Isolation:
    """Return what the sandbox's self-test finds, with the libraries that the exercises need and this machine has."""
    present = present_libraries()
    needed = {exercise.library for exercise in exercises.values()}
    try:
        found = find_rung(
            libraries=[library for library in present if library in needed | {"numpy"}],
            uid=sandbox_uid,
            supply=supply,
            device=device,
        )
    except SandboxUnavailable as unavailable:
        logger.error("no submission is judged here: %s", unavailable.reason)
        return Isolation(NO_RUNG, storable(unavailable.reason), storable(unavailable.reason), present, device.value)
    return Isolation(found.rung.value, storable(found.reason), None, present, found.device_name)


def describe(name: str, exercises: Mapping[str, Exercise], isolation: Isolation) -> JudgeAlive:
    """Return the report of this judge."""
    return JudgeAlive(
        judge=name,
        rung=isolation.rung,
        rung_reason=isolation.reason,
        device=isolation.device,
        versions=_versions(),
        exercises_digest=exercises_digest(exercises.values()),
        libraries=isolation.libraries,
        refusal=isolation.refusal,
    )


class Presence:
    """Reports every ten seconds from a thread of its own, from `start` to `stop`."""

    def __init__(self, report: Callable[[], None]) -> None:
        self._report = report
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="presence", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(timeout=1.0)

    def _run(self) -> None:
        while True:
            try:
                self._report()
            except Exception:  # the thread's boundary: a broker that is away for a minute must not end the reports
                logger.exception("the judge could not report itself")
            if self._stopped.wait(REPORT_SECONDS):
                return


def _versions() -> tuple[tuple[str, str], ...]:
    """Return the versions of what decides a verdict."""
    versions = {"python": platform.python_version()}
    for package in ("celery", "numpy", "torch"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions[package] = importlib.metadata.version(package)
    return tuple(sorted(versions.items()))
