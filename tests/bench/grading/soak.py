"""Thousands of submissions in one judge, one in ten hostile: nothing may be left, no verdict wrong, no memory grow.

Memory is that of zygote, supervisor and judge together, looked at every hundred submissions; its slope is that of the
straight line through what comes after the first tenth, in which whatever is kept for good is filled.
"""

import itertools
import os
import statistics
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from pathlib import Path

from grader.judge.judging import judge
from grader.sandbox.keeper import Keeper
from grader.sandbox.runner import DEFAULT_SANDBOX_UID
from grader.verdicts import Outcome
from tests.bench.grading.keepers import kept_supervisor, opener_of
from tests.bench.grading.programs import EXERCISES, hostile, programs
from tests.judge.benches import bench
from tests.processes import descendants
from tests.sandbox.guests import is_of_sandbox

SUBMISSIONS = 5000
SAMPLE_EVERY = 100
# Of one call. The first is for those that use it up; a busy machine is to be no reason for the others to.
SHORT, LONG = 0.5, 10.0
# Measured, not promised: a leak of one cell of a megabyte in a thousand would be seen long before it hurts a judge
# whose zygote is replaced after two thousand guests.
SLOPE_AIM_MIB = 1.0  # for a thousand submissions
REST_SECONDS = 2.0  # for the last guests to be buried and the next ones born


@dataclass(frozen=True)
class Left:
    """What a judge and its supervisor have that could leak."""

    processes: int
    open_files: int
    mounts: int
    scratch_folders: int
    shared_memory: int


def measure(submissions: int) -> bool:
    """Print what came of them and what was left; say whether all was well."""
    # Folders are counted in one of its own: others may be at work on this machine.
    with tempfile.TemporaryDirectory(prefix="courseware-bench-") as folder:
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        with kept_supervisor() as kept:
            return _judge_all(kept, submissions)


def _judge_all(kept: Keeper, submissions: int) -> bool:
    opener = opener_of(kept)
    honest = itertools.chain.from_iterable(zip(*(programs(exercise) for exercise in EXERCISES), strict=True))
    attacking = hostile()
    time.sleep(REST_SECONDS)
    before = _left(kept)
    outcomes: Counter[str] = Counter()
    wrong: list[str] = []
    sizes: list[tuple[int, tuple[float, ...]]] = []
    begun = time.monotonic()
    for number in range(submissions):
        is_hostile = number % 10 == 9
        program = next(attacking if is_hostile else honest)
        exercise = bench(program.exercise)
        limits = replace(exercise.exercise.limits, call_seconds=SHORT if program.outcome is Outcome.TIME else LONG)
        verdict = judge(exercise, program.source, seed=number, opener=opener, limits=limits)
        outcomes[f"{'hostile' if is_hostile else 'honest'} {verdict.outcome.value}"] += 1
        if verdict.outcome is not program.outcome:
            wrong.append(f"{program.exercise}: {verdict.outcome.value} ({verdict.sentence}) for\n{program.source}")
        if number % SAMPLE_EVERY == 0:
            sizes.append((number, _resident_mebibytes(kept)))
    seconds = time.monotonic() - begun
    time.sleep(REST_SECONDS)
    after = _left(kept)
    print(
        f"{submissions} submissions in {seconds:.0f} s: {dict(sorted(outcomes.items()))}; {len(wrong)} wrong verdicts"
    )
    for each in wrong[:3]:
        print(each)
    for name, was, now in zip(Left.__dataclass_fields__, astuple(before), astuple(after), strict=True):
        print(f"  {name:<16}{was:>6}{now:>6}")
    slope = _print_memory(sizes)
    is_clean = all(now <= was for was, now in zip(astuple(before), astuple(after), strict=True))
    return not wrong and is_clean and slope <= SLOPE_AIM_MIB


def _left(kept: Keeper) -> Left:
    """Count, once the guests that are kept ready are all born."""
    pids = _sandbox(kept)
    folders = [path for path in Path(tempfile.gettempdir()).glob("*") if path.name.startswith(("judge-", "sandbox-"))]
    account = DEFAULT_SANDBOX_UID if os.geteuid() == 0 else os.geteuid()
    segments = [line.split() for line in Path("/proc/sysvipc/shm").read_text().splitlines()[1:]]
    shared = [path for path in Path("/dev/shm").iterdir() if path.lstat().st_uid == account]
    return Left(
        processes=len(pids),
        open_files=sum(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in (*pids, os.getpid())),
        mounts=sum(len(Path(f"/proc/{pid}/mountinfo").read_text().splitlines()) for pid in (kept.pid, _zygote(kept))),
        scratch_folders=len(folders),
        shared_memory=len(shared) + sum(int(fields[7]) == account for fields in segments),
    )


def _sandbox(kept: Keeper) -> list[int]:
    return [kept.pid, *sorted(descendants(kept.pid))]


def _zygote(kept: Keeper) -> int:
    """Return the process that forks the guests: the one of the sandbox with the most children."""
    return max(_sandbox(kept)[1:], key=lambda pid: len(descendants(pid)) if _is_zygote(pid) else -1)


def _is_zygote(pid: int) -> bool:
    return is_of_sandbox(pid) and bool(_children(pid)) and all(not _children(child) for child in _children(pid))


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
    return []


def _resident_mebibytes(kept: Keeper) -> tuple[float, ...]:
    """Return what judge, supervisor and zygote hold."""
    page = os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    pids = (os.getpid(), kept.pid, _zygote(kept))
    return tuple(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * page for pid in pids)


def _print_memory(sizes: list[tuple[int, tuple[float, ...]]]) -> float:
    """Print how the memory of each process went; return by how much all of it grew for a thousand submissions."""
    steady = sizes[len(sizes) // 10 :]
    numbers, held = [number for number, _ in steady], [[*each, sum(each)] for _, each in steady]
    slope = 0.0
    for name, series in zip(("judge", "supervisor", "zygote", "together"), zip(*held, strict=True), strict=True):
        slope = 1000 * statistics.linear_regression(numbers, series).slope if len(numbers) > 1 else 0.0
        print(
            f"  {name:<16}{series[0]:>6.0f}{series[-1]:>6.0f} MiB; {slope:+.2f} for a thousand submissions", flush=True
        )
    print(f"  {'aim, together':<16}{'':>18}{SLOPE_AIM_MIB:+.2f}")
    return slope
