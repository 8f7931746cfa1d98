"""The trials of `gpucheck`, one function each: what must be true of a device on which learners' programs run.

Each returns the figures that its row shows, or raises `NotSo` with what was found instead.
"""

import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from grader.judge import trial_programs as programs
from grader.judge.arrays import from_wire, to_wire
from grader.judge.folders import Bench
from grader.judge.trial_stage import Stage, asked_of_driver
from grader.sandbox.devices import Device, device_nodes
from grader.sandbox.replies import Cause, Died, Raised, Returned
from grader.sandbox.runner import Guest
from grader.verdicts import Outcome, Wording

ENDLESS_SECONDS = 1.0
# Besides the limit: a driver waits a little for what runs before it takes a context apart.
KILL_SECONDS = 10.0
LEVEL_MEBIBYTES = 64  # by which a device's used memory may differ between two equal moments; a context takes hundreds
WARM_ROUNDS = 5

Trial = Callable[[Stage, Bench], str]


class NotSo(Exception):
    """A trial found something else than what must be."""


def rung(stage: Stage, _bench: Bench) -> str:
    """A sandbox holds here, and its self-test passes on this device."""
    if not stage.is_shut_in:
        raise NotSo(f"refused: {stage.reason}; what follows ran with the system call filter and limits alone")
    return f"{stage.rung.value}: {stage.reason}"


def device_found(stage: Stage, _bench: Bench) -> str:
    """A new tensor lies on the device that was asked for."""
    with stage.open(programs.RIGHT[0]) as guest:
        if stage.device is Device.CPU:
            return guest.device_name
        nodes = ", ".join(node.name for node in device_nodes())
        return f"{guest.device_name}; driver {asked_of_driver('driver_version')}; {nodes}"


def right_programs(stage: Stage, bench: Bench) -> str:
    """Right programs are right, also when many follow each other."""
    fresh, warm = [], []
    for number in range(WARM_ROUNDS):
        asked = time.monotonic()
        cell = stage.take()
        began = time.monotonic()
        verdict = stage.judge(bench, programs.RIGHT[number % len(programs.RIGHT)], cell=cell)
        fresh.append(began - asked)
        warm.append(time.monotonic() - began)
        if verdict.outcome is not Outcome.RIGHT:
            raise NotSo(f"{verdict.outcome.value}: {verdict.sentence} {verdict.reason}")
    return (
        f"cold: first guest after {stage.cold_seconds:.2f} s; warm: verdict {_milliseconds(warm)}, "
        f"next guest {_milliseconds(fresh)} later (medians of {WARM_ROUNDS})"
    )


def wrong_programs(stage: Stage, bench: Bench) -> str:
    """Wrong programs are wrong, and the misconception is named as it is on the CPU."""
    for variant, source in programs.WRONG.items():
        verdict = stage.judge(bench, source)
        found = verdict.diagnosis
        is_named = found is not None and found.wording is Wording.EXACT
        if found is None or not is_named or found.misconception != bench.exercise.variant(variant).belief:
            raise NotSo(f"{variant}: {verdict.outcome.value}: {found.sentence if found else verdict.sentence}")
    return ", ".join(programs.WRONG)


def endless_kernel(stage: Stage, _bench: Bench) -> str:
    """What runs for ever on the device is ended by the judge's clock, and its memory is there again."""
    cell = stage.take()
    before = _level(stage.device, cell.guest_pid)
    with stage.open(programs.ENDLESS, wall_seconds=ENDLESS_SECONDS, cell=cell) as guest:
        pid = guest.pid
        guest.load()
        began = time.monotonic()
        reply = guest.call(programs.FUNCTION, [_GIVEN])
        elapsed = time.monotonic() - began
    if not isinstance(reply, Died) or reply.cause is not Cause.TIME:
        raise NotSo(f"its end was {reply}")
    if elapsed > ENDLESS_SECONDS + KILL_SECONDS or Path(f"/proc/{pid}").exists():
        raise NotSo(f"it was there for {elapsed:.1f} s")
    following = stage.take()
    after = _level(stage.device, following.guest_pid)
    following.discard()
    if after > before + LEVEL_MEBIBYTES:
        raise NotSo(f"{before} MiB were used before and {after} MiB afterwards")
    return f"ended after {elapsed:.2f} s at a limit of {ENDLESS_SECONDS:g} s; {before} MiB before, {after} MiB after"


def fall_to_the_cpu(stage: Stage, bench: Bench) -> str:
    """A guest that computes on the CPU where a device was asked for is the operator's fault and costs nobody a mark."""
    other = stage.on_the_cpu()
    try:
        verdict = other.judge(bench, programs.RIGHT[0], asked=Device.CUDA)
    finally:
        other.close()
    if verdict.outcome is not Outcome.OPERATOR:
        raise NotSo(f"the verdict was {verdict.outcome.value}: {verdict.sentence}")
    return verdict.reason


def patched_clocks(stage: Stage, _bench: Bench) -> str:
    """A program that changes clocks and synchronisation is timed by the judge's clock all the same."""
    with stage.open(programs.PATCHED_CLOCKS) as guest:
        reply = _returned(guest)
    if reply.seconds < programs.SLEEP_SECONDS:
        raise NotSo(f"{reply.seconds:.2f} s were counted of {programs.SLEEP_SECONDS:g} s")
    return f"{reply.seconds:.2f} s counted of {programs.SLEEP_SECONDS:g} s"


def memory_of_the_last_program(stage: Stage, _bench: Bench) -> str:
    """Nothing of one program lies in the memory that the next one is given."""
    with stage.open(programs.LEAVES) as guest:
        _returned(guest)
    with stage.open(programs.LOOKS) as guest:
        found = int(from_wire(_returned(guest).outputs[0])[0])
    if found:
        raise NotSo(f"{found} of its numbers were found")
    return "none of its numbers found; no reference is ever there"


def work_after_returning(stage: Stage, _bench: Bench) -> str:
    """What a program computes after it has returned is waited for and timed, or does not count."""
    with stage.open(programs.WORKS_AFTER_RETURNING) as guest:
        reply = guest.call(programs.FUNCTION, [_GIVEN])
    if isinstance(reply, Raised) and stage.device is Device.CPU:
        return f"cannot begin: {reply.message}"
    if not isinstance(reply, Returned):
        raise NotSo(f"its end was {reply}")
    is_there = np.array_equal(from_wire(reply.outputs[0]), 2 * from_wire(_GIVEN))
    if is_there and reply.seconds < programs.LATE_SECONDS:
        raise NotSo(f"it was there after {reply.seconds:.2f} s")
    if stage.device is Device.CUDA and not is_there:
        raise NotSo("a side stream was not waited for")
    return f"waited for, {reply.seconds:.2f} s" if is_there else "does not count"


TRIALS: dict[str, Trial] = {
    "sandbox": rung,
    "device": device_found,
    "right programs are right": right_programs,
    "wrong programs are named": wrong_programs,
    "an endless kernel is ended, memory is back": endless_kernel,
    "a fall to the CPU is the operator's": fall_to_the_cpu,
    "cheat 2: clocks patched": patched_clocks,
    "cheat 10: memory left over": memory_of_the_last_program,
    "cheat 13: work after returning": work_after_returning,
}

_GIVEN = to_wire(np.arange(1.0, 9.0))


def _returned(guest: Guest) -> Returned:
    reply = guest.call(programs.FUNCTION, [_GIVEN])
    if not isinstance(reply, Returned):
        raise NotSo(f"its end was {reply}")
    return reply


def _level(device: Device, pid: int) -> int:
    """Return how many MiB are in use while one guest waits: of the device's memory, or of its own."""
    if device is Device.CUDA:
        return int(asked_of_driver("memory.used"))
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def _milliseconds(seconds: list[float]) -> str:
    return f"{statistics.median(seconds) * 1000:.0f} ms"
