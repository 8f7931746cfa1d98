"""Other processes: what the machine tells of them, and waiting for what they do."""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE_SECONDS = 60.0


def wait_until(holds: Callable[[], Any], *, seconds: float = PATIENCE_SECONDS) -> Any:
    """Return what holds as soon as it is true; AssertionError if it does not come true."""
    until = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.05)
    return found


def descendants(pid: int) -> set[int]:
    """Return every process that this one started, directly or not."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(folder.name)] = parent_of(int(folder.name))
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""
