"""What a guest has while it runs and who is left of it when it has ended, as the machine sees it from outside."""

import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from grader.sandbox.limits import MEBIBYTE, Limits
from tests.sandbox.guests import members_of

IMPORTED_BYTES = 64 * MEBIBYTE  # of the libraries' own, NumPy alone
SLACK_SECONDS = 1.0  # beyond a limit, on a machine whose cores are busy
COMPUTE_SECONDS = 30.0  # in which a processor limit of a second or two must have struck, even on a busy machine


class Watch:
    """The most that a guest had of anything, sampled while it ran."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._file_memory_before = file_memory()
        self._most: dict[str, int] = {}

    @contextmanager
    def sampling(self) -> Iterator[None]:
        done = threading.Event()

        def keep_sampling() -> None:
            while not done.wait(0.01):
                self._sample()

        sampler = threading.Thread(target=keep_sampling)
        sampler.start()
        try:
            yield
        finally:
            done.set()
            sampler.join()
            self._sample()  # what it still has after its reply

    def excess(self, limits: Limits) -> dict[str, str]:
        """Return what was more than a guest may have."""
        most = self._most
        allowed = {
            "processes": 1,
            "flood": limits.threads,
            "memory": IMPORTED_BYTES + limits.memory_bytes,
            "descriptors": limits.open_files,
            "scratch": 17 * MEBIBYTE,
            "inodes": 260,
            # The machine's: others use it too, but seldom so much at once.
            "memory of files": self._file_memory_before + 256 * MEBIBYTE,
        }
        return {name: f"{most[name]} of {allowed[name]}" for name in allowed if most.get(name, 0) > allowed[name]}

    def _sample(self) -> None:
        family = [self._pid]
        for process in family:
            with suppress(OSError):
                for task in Path(f"/proc/{process}/task").iterdir():
                    family += map(int, (task / "children").read_text().split())
        self._note("processes", len(family))
        with suppress(OSError):
            self._note("flood", sum(len(list(Path(f"/proc/{each}/task").iterdir())) for each in family))
        with suppress(OSError):
            status = Path(f"/proc/{self._pid}/status").read_text()
            own = re.findall(r"(?:RssAnon|RssShmem):\s+(\d+)", status)  # pages of libraries are nobody's
            self._note("memory", sum(map(int, own)) * 1024)
            self._note("descriptors", len(list(Path(f"/proc/{self._pid}/fd").iterdir())))
            folder = Path(f"/proc/{self._pid}/root/tmp")
            # A rung without a folder of its own has none to fill.
            if folder.stat().st_dev != Path("/tmp").stat().st_dev:
                scratch = os.statvfs(folder)
                self._note("scratch", (scratch.f_blocks - scratch.f_bfree) * scratch.f_frsize)
                self._note("inodes", scratch.f_files - scratch.f_ffree)
        self._note("memory of files", file_memory())

    def _note(self, name: str, value: int) -> None:
        self._most[name] = max(self._most.get(name, 0), value)


@contextmanager
def namespace_of(pid: int) -> Iterator[Callable[[], list[int]]]:
    """Give a function that finds who lives with a guest: in its namespace, or the guest alone where it has none."""
    # Held open, since the kernel gives the number of a namespace away as soon as nobody does.
    held = os.open(f"/proc/{pid}/ns/pid", os.O_RDONLY)
    try:
        name = str(Path(f"/proc/self/fd/{held}").readlink())
        if name == str(Path("/proc/self/ns/pid").readlink()):
            yield lambda: [pid] if Path(f"/proc/{pid}").exists() else []
        else:
            yield lambda: members_of(name)
    finally:
        os.close(held)


def ends_soon(members: Callable[[], list[int]]) -> bool:
    """Return whether everybody is gone within the time that the kernel takes for it, and some for a busy machine."""
    deadline = time.monotonic() + SLACK_SECONDS
    while members():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


_OVERSPENT_SECONDS = 3.5  # a second allowed, one begun before, and one for rounding
_IDLE_LOOKS = 10  # in a row, two seconds in all: a program that computes gets a turn in that time


def computing(pid: int) -> dict[str, str]:
    """Return whether a guest that has answered computes on when its processor time is over."""
    deadline = time.monotonic() + COMPUTE_SECONDS
    with suppress(OSError):  # it ended
        spent = time.clock_gettime((~pid << 3) | 2)
        idle = 0
        while time.monotonic() < deadline and spent < _OVERSPENT_SECONDS:
            time.sleep(0.2)
            spent, before = time.clock_gettime((~pid << 3) | 2), spent
            idle = idle + 1 if spent == before else 0
            if idle == _IDLE_LOOKS:  # it has come to rest by itself
                return {}
        return {"computes on": f"it used {spent:.1f} s of a processor"}
    return {}


def file_memory() -> int:
    """Return how much memory the machine holds for files and segments that may outlive every process."""
    return int(re.search(r"(?m)^Shmem:\s+(\d+)", Path("/proc/meminfo").read_text())[1]) * 1024


def resident_now() -> int:
    """Return how much memory this process holds, and let its peak begin there."""
    Path("/proc/self/clear_refs").write_text("5")
    return resident_peak()


def resident_peak() -> int:
    return int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) * 1024
