"""Thousands of submissions in one judge, one in ten hostile: nothing may be left, no verdict wrong, no memory grow.

Memory is what judge, supervisor and zygote hold as their own, looked at every hundred submissions; its slope is that of
the straight line through what comes after a warm-up, in which whatever is kept for good is filled.
"""

import itertools
import math
import os
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from pathlib import Path

from grader.judge.judging import judge
from grader.sandbox.keeper import Keeper
from grader.sandbox.runner import DEFAULT_SANDBOX_UID
from grader.verdicts import Outcome
from tests.bench.grading.keepers import kept_supervisor, opener_of
from tests.bench.grading.programs import EXERCISES, Program, hostile, programs
from tests.judge.benches import bench
from tests.processes import descendants
from tests.sandbox.guests import is_of_sandbox

SUBMISSIONS = 5000
SAMPLE_EVERY = 100
WARM_UP = 500  # after which each program was there at least twice, in words of its own
# Of one call. The first is for those that use it up; a busy machine is to be no reason for the others to.
SHORT, LONG = 0.5, 10.0
# For a thousand submissions, with the error on top. It is 105 bytes for each, less than any source, reply or
# verdict takes: none of them is kept.
SLOPE_AIM_MIB = 0.1
PARTS = 10  # of the measured stretch, for the error
REST_SECONDS = 2.0  # for the last guests to be buried and the next ones born


@dataclass(frozen=True)
class Left:
    """What a judge and its supervisor have that could leak."""

    processes: int
    open_files: int
    mounts: int
    scratch_folders: int
    shared_memory: int


@dataclass(frozen=True)
class _Look:
    """What the processes held as their own, in mebibytes, when so many submissions had been judged."""

    number: int
    zygote_pid: int
    judge: float
    supervisor: float
    zygote: float


def measure(submissions: int) -> bool:
    """Print what came of them and what was left; say whether all was well."""
    # Folders are counted in one of its own: others may be at work on this machine.
    with tempfile.TemporaryDirectory(prefix="courseware-bench-") as folder:
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        # In another process: the names in so many sources would double this one's table of names, and not at once.
        with ProcessPoolExecutor(1) as apart:
            every = apart.submit(_programs, submissions).result()
        with kept_supervisor() as kept:
            return _judge_all(kept, every)


def _judge_all(kept: Keeper, every: list[tuple[bool, Program]]) -> bool:
    opener = opener_of(kept)
    time.sleep(REST_SECONDS)
    before = _left(kept)
    outcomes: Counter[str] = Counter()
    wrong: list[str] = []
    looks: list[_Look] = []
    begun = time.monotonic()
    for number, (is_hostile, program) in enumerate(every):
        exercise = bench(program.exercise)
        limits = replace(exercise.exercise.limits, call_seconds=SHORT if program.outcome is Outcome.TIME else LONG)
        verdict = judge(exercise, program.source, seed=number, opener=opener, limits=limits)
        outcomes[f"{'hostile' if is_hostile else 'honest'} {verdict.outcome.value}"] += 1
        if verdict.outcome is not program.outcome:
            wrong.append(f"{program.exercise}: {verdict.outcome.value} ({verdict.sentence}) for\n{program.source}")
        if number % SAMPLE_EVERY == 0:
            looks.append(_look(kept, number, looks[-1].zygote_pid if looks else 0))
    seconds = time.monotonic() - begun
    time.sleep(REST_SECONDS)
    after = _left(kept)
    print(f"{len(every)} submissions in {seconds:.0f} s: {dict(sorted(outcomes.items()))}; {len(wrong)} wrong verdicts")
    for each in wrong[:3]:
        print(each)
    for name, was, now in zip(Left.__dataclass_fields__, astuple(before), astuple(after), strict=True):
        print(f"  {name:<16}{was:>6}{now:>6}")
    is_flat = _print_memory([each for each in looks if each.number >= min(WARM_UP, len(every) // 2)])
    is_clean = all(now <= was for was, now in zip(astuple(before), astuple(after), strict=True))
    return not wrong and is_clean and is_flat


def _programs(submissions: int) -> list[tuple[bool, Program]]:
    """Return honest programs and, each tenth, a hostile one; and which they are."""
    honest = itertools.chain.from_iterable(zip(*(programs(exercise) for exercise in EXERCISES), strict=True))
    attacking = hostile()
    places = range(1, submissions + 1)
    return [(True, next(attacking)) if place % 10 == 0 else (False, next(honest)) for place in places]


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


def _look(kept: Keeper, number: int, zygote: int) -> _Look:
    """Look at a zygote, or at the one that replaced it; to search all processes each time would cost memory."""
    while True:
        with suppress(FileNotFoundError, ProcessLookupError):  # it ended, or ends just now
            return _Look(number, zygote, *map(_anonymous_mebibytes, (os.getpid(), kept.pid, zygote)))
        zygote = _zygote(kept)


def _anonymous_mebibytes(pid: int) -> float:
    """Return what is no file's, counted page by page: the kernel's running total may be off by a quarter of one."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Anonymous:"))


def _print_memory(looks: list[_Look]) -> bool:
    """Print how the memory of each process went; say whether all of it together stayed as it was."""
    held = {name: [getattr(look, name) for look in looks] for name in ("judge", "supervisor", "zygote")}
    # A new zygote may begin with half a mebibyte more or less, by chance: what counts is what each came to hold.
    begun = {look.zygote_pid: look.zygote for look in reversed(looks)}
    gained = held | {"zygote": [look.zygote - begun[look.zygote_pid] for look in looks]}
    held["together"], gained["together"] = ([*map(sum, zip(*each.values(), strict=True))] for each in (held, gained))
    for name, sizes in held.items():
        slope, error = _slope([look.number for look in looks], gained[name])
        print(f"  {name:<16}{sizes[0]:>8.2f}{sizes[-1]:>8.2f} MiB; {slope:+.3f} ± {error:.3f} for a thousand")
    print(f"  {'aim, together':<16}at most {SLOPE_AIM_MIB} with its error, of {len(looks)} looks", flush=True)
    return slope + error <= SLOPE_AIM_MIB


def _slope(numbers: Sequence[int], mebibytes: Sequence[float]) -> tuple[float, float]:
    """Return the growth for a thousand submissions and twice its standard error.

    The error is found by leaving out one part of the stretch after another, since neighbours are alike and each look by
    itself would promise too much.
    """
    size = max(1, len(numbers) // PARTS)
    if len(numbers) < 3 * size:
        return 0.0, math.inf
    slope = 1000 * statistics.linear_regression(numbers, mebibytes).slope
    without = [
        1000
        * statistics.linear_regression(
            [*numbers[:place], *numbers[place + size :]], [*mebibytes[:place], *mebibytes[place + size :]]
        ).slope
        for place in range(0, len(numbers), size)
    ]
    return slope, 2 * math.sqrt((len(without) - 1) * statistics.pvariance(without))
