"""Guests for tests: one short way to open, call and measure them."""

import functools
import os
import re
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from grader.sandbox.bubblewrap import interpreter
from grader.sandbox.cell import account
from grader.sandbox.limits import Limits
from grader.sandbox.nursery import Nursery, own_nursery
from grader.sandbox.probe import refuse_closed_folders
from grader.sandbox.replies import CallReply, Returned, SandboxUnavailable
from grader.sandbox.runner import DEFAULT_SANDBOX_UID, Guest, open_guest
from grader.sandbox.wire import Array
from tests.processes import command_of, descendants

_HELD: dict[str, int] = {}  # namespaces by name, kept open
ORDINARY_UID = 4242
PROJECT = Path(__file__).resolve().parents[2]
HONEST = "def double(x):\n    return x * 2\n"


@functools.cache
def why_no_sandbox() -> str | None:
    """Return what this machine lacks for running guests, or None.

    It asks bubblewrap alone, not our own self-test: a sandbox that we broke must fail these tests, not skip them.
    """
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed"
    try:
        refuse_closed_folders(interpreter(), libraries=("numpy",), uid=DEFAULT_SANDBOX_UID)
        tried = subprocess.run(
            ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true"],
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
            **account(DEFAULT_SANDBOX_UID),
        )
    except SandboxUnavailable as error:
        return error.reason
    return None if tried.returncode == 0 else f"bubblewrap cannot make a sandbox: {tried.stderr.strip()}"


def need_sandbox() -> None:
    """Skip a test on a machine that cannot shut guests in, naming what is missing."""
    reason = why_no_sandbox()
    if reason is not None:
        pytest.skip(reason)


def need_torch() -> None:
    """Skip a test where PyTorch is not installed; importing it here would load it into the test's own process."""
    from importlib.util import find_spec

    if find_spec("torch") is None:
        pytest.skip("torch is not installed")


def guest(source: str, *, library: str = "numpy", **limits: float) -> Guest:
    """Open a guest around a source, with short limits unless stated."""
    return open_guest(source=source, filename="solution.py", library=library, limits=Limits(**limits))


def call(source: str, *arguments: object, function: str = "f", library: str = "numpy") -> CallReply:
    """Return what a function of a guest that is opened for it answers to one call."""
    with guest(source, library=library) as opened:
        return opened.call(function, arguments)


def floats(*values: float) -> Array:
    return Array("float64", (len(values),), struct.pack(f"<{len(values)}d", *values))


def values_of(array: Array) -> tuple[float, ...]:
    """Return the numbers of a float64 array."""
    assert array.dtype == "float64"
    return struct.unpack(f"<{len(array.data) // 8}d", array.data)


def assert_honest_guest_works() -> None:
    with guest(HONEST) as honest:
        reply = honest.call("double", [floats(1, 2)], wall_seconds=5)
        assert isinstance(reply, Returned), reply
        assert values_of(reply.outputs[0]) == (2, 4)


def members_of(namespace: str) -> list[int]:
    """Return the processes of this machine that live in a process namespace; a zombie does not live."""
    members = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
                if state != "Z" and str((folder / "ns" / "pid").readlink()) == namespace:
                    members.append(int(folder.name))
            except OSError:  # it ended meanwhile, or is another account's
                continue
    return members


def namespace_of(pid: int) -> str:
    """Return the name of a process's namespace, which no other one is given while these tests run."""
    held = os.open(f"/proc/{pid}/ns/pid", os.O_RDONLY)
    name = str(Path(f"/proc/self/fd/{held}").readlink())
    # The name is a number that the kernel gives away as soon as nobody holds it, to the very next guest.
    if _HELD.setdefault(name, held) != held:
        os.close(held)
    return name


def children() -> list[int]:
    """Return the children of this process, zombies included."""
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


def open_files() -> set[str]:
    return {link.name for link in Path("/proc/self/fd").iterdir()} - set(map(str, _HELD.values()))


def assert_gone(namespace: str) -> None:
    """Fail unless every process of a namespace ends at once; the kernel takes some milliseconds to take one apart."""
    deadline = time.monotonic() + 5
    while members_of(namespace) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert members_of(namespace) == []


def is_of_sandbox(pid: int) -> bool:
    """Say whether a process is bubblewrap, a zygote in it, or a guest."""
    return "/sandbox/grader/sandbox/inside/" in command_of(pid)


def guests_at_work(pid: int) -> set[int]:
    """Return the guests under a process in which somebody's program runs: those that have put on the inner filter."""
    filters = {
        each: _filters_of(each) for each in descendants(pid) if is_of_sandbox(each) and "bwrap" not in command_of(each)
    }
    return {each for each, count in filters.items() if count > min(filters.values())}


def _filters_of(pid: int) -> int:
    """Return how many system call filters lie over a process."""
    with suppress(OSError):
        if found := re.search(r"Seccomp_filters:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()):
            return int(found[1])
    return 0


@contextmanager
def nothing_left_behind() -> Iterator[None]:
    """Fail if the block leaves a child or an open file of this process, beyond the guests that wait for the next."""
    nursery = own_nursery(DEFAULT_SANDBOX_UID)
    before = at_rest(nursery)
    yield
    assert at_rest(nursery) == before


def at_rest(nursery: Nursery) -> tuple[list[int], int]:
    """Return the children and the number of open files once a nursery has as many guests ready as it keeps."""
    nursery.take().discard()
    deadline = time.monotonic() + 20
    while not nursery.is_full and time.monotonic() < deadline:
        nursery.attend()
        time.sleep(0.005)
    return children(), len(open_files())


def run_as_ordinary_account(*arguments: str, seconds: float = 60) -> subprocess.CompletedProcess[str]:
    """Run the project's Python in an account that is not root."""
    account = {"user": ORDINARY_UID, "group": ORDINARY_UID, "extra_groups": ()} if os.geteuid() == 0 else {}
    readable = subprocess.run(["test", "-r", str(PROJECT / "grader/sandbox/probe.py")], check=False, cwd="/", **account)
    if readable.returncode != 0:
        pytest.skip(f"{PROJECT} is closed to uid {ORDINARY_UID}")
    return subprocess.run(
        [sys.executable, "-B", *arguments],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
        **account,
    )
