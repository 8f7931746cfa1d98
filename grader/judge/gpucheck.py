"""Tries whether learners' programs can be judged on this machine's device: `python -m grader.judge.gpucheck`.

Needs NumPy, PyYAML and PyTorch, neither Django nor Celery, and the folder of exercises that COURSE_PATH names. Where
nothing can be shut in it says so and tries the project's own programs without walls. Writes a table; the exit code is 0
if every row is ok, 1 if one is not, 2 for a wrong setting.
"""

import argparse
import contextlib
import datetime
import importlib.metadata
import platform
import signal
import sys
import time
from pathlib import Path

from courseware.concepts.faults import Faults
from grader.exercise_files import load_exercises
from grader.judge.folders import Bench, BrokenExercise, open_bench
from grader.judge.settings import BadSetting, course_path, sandbox_uid
from grader.judge.trial_programs import EXERCISE
from grader.judge.trial_stage import Stage
from grader.judge.trials import TRIALS, NotSo
from grader.sandbox.devices import Device, device_nodes
from grader.sandbox.replies import SandboxUnavailable

LONGEST_SECONDS = 220  # for everything, so that all has ended within four minutes


class OutOfTime(Exception):
    """The time for the whole check is used up."""


def main() -> int:
    """Run every trial, write the table and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m grader.judge.gpucheck", description="Try this machine's device.")
    parser.add_argument("--device", choices=[device.value for device in Device], default=Device.CUDA.value)
    device = Device(parser.parse_args().device)
    try:
        bench, uid = _bench(course_path()), sandbox_uid()
    except (BadSetting, BrokenExercise) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    _write(_heading(device), "", "| trial | ok | figures |", "|---|---|---|")
    signal.signal(signal.SIGALRM, _end)
    signal.alarm(LONGEST_SECONDS)
    began = time.monotonic()
    with contextlib.closing(Stage(device, uid)) as stage:
        failed = _run(stage, bench)
    signal.alarm(0)
    _write("", f"{f'{failed} not ok' if failed else 'all ok'}, in {time.monotonic() - began:.0f} s")
    return 1 if failed else 0


def _run(stage: Stage, bench: Bench) -> int:
    """Run the trials, each of them whatever became of the others; return how many failed."""
    why_none = ""
    try:
        if stage.device is Device.CUDA:
            device_nodes()
        stage.find_rung()
    except (SandboxUnavailable, OutOfTime) as error:
        why_none = _words(error)
        _write(f"| start | NOT OK | {why_none} |")
    failed = int(bool(why_none))
    for name, trial in TRIALS.items():
        is_ok, figures = False, "not tried"
        if not why_none:
            try:
                is_ok, figures = True, trial(stage, bench)
            except OutOfTime as error:
                figures = why_none = _words(error)
            except (NotSo, SandboxUnavailable) as error:
                figures = _words(error)
        failed += not is_ok
        _write(f"| {name} | {'ok' if is_ok else 'NOT OK'} | {figures} |")
    return failed


def _bench(folder: Path) -> Bench:
    faults = Faults()
    exercise = load_exercises(folder, faults).get(EXERCISE)
    if exercise is None:
        raise BrokenExercise(f"COURSE_PATH has no exercise {EXERCISE}")
    return open_bench(exercise)


def _heading(device: Device) -> str:
    torch = "no PyTorch"
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        torch = f"PyTorch {importlib.metadata.version('torch')}"
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return f"{today}, {device.value}, Python {platform.python_version()}, {torch}, Linux {platform.release()}"


def _words(error: Exception) -> str:
    """Return what an error says in one cell of a table."""
    return " ".join(str(error).split()).replace("|", "/")[:1000]


def _write(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def _end(*_: object) -> None:
    raise OutOfTime(f"{LONGEST_SECONDS} s were over")


if __name__ == "__main__":
    sys.exit(main())
