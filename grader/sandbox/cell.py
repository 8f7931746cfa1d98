"""One bubblewrap with a guest inside: starting it, its processor time, its end. Nobody is left when it is closed.

Owns process ids and their signals. It must not know what is said over the pipes.
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.sandbox import bubblewrap
from grader.sandbox.filters import outer_filter
from grader.sandbox.replies import SandboxUnavailable

_PATIENCE_SECONDS = 5.0  # for the kernel to take a killed process apart, which needs milliseconds
_BUBBLEWRAP_SECONDS = 10.0  # for bubblewrap to name the guest's process; it needs 5 ms on an idle machine


@dataclass(frozen=True)
class Ends:
    """The judge's ends of the three pipes to a guest."""

    requests: int
    replies: int
    printed: int


@dataclass(frozen=True)
class End:
    """How a guest ended by itself."""

    signal: int | None
    exit_code: int | None
    cpu_seconds: float


def account(uid: int) -> dict[str, Any]:
    """Return the arguments of subprocess that give a sandbox its account.

    A judge that runs as root gives it `uid` and the group of the same number: root is exempt from the process limit,
    and what a break-out could reach should be nobody's. Any other account cannot change and keeps its own.
    """
    if os.geteuid() != 0:
        return {}
    if uid <= 0:
        raise SandboxUnavailable(f"the judge runs as root and SANDBOX_UID is {uid}: set it to an unused number above 0")
    return {"user": uid, "group": uid, "extra_groups": ()}


def start(*, uid: int) -> tuple["Cell", Ends]:
    """Start the guest program in a new sandbox, where it waits for its first request."""
    with contextlib.ExitStack() as ours:
        with contextlib.ExitStack() as theirs:  # closed as soon as the sandbox has its own copies
            requests_in, requests_out = _pipe(reader=theirs, writer=ours)
            replies_in, replies_out = _pipe(reader=ours, writer=theirs)
            printed_in, printed_out = _pipe(reader=ours, writer=theirs)
            information_in, information_out = _pipe(reader=ours, writer=theirs)
            descriptors = bubblewrap.Descriptors(
                program=_memory_file("guest", bubblewrap.GUEST_PROGRAM.read_bytes(), theirs),
                filter=_memory_file("filter", outer_filter(), theirs),
                information=information_out,
                requests=requests_in,
                replies=replies_out,
            )
            command = bubblewrap.command(bubblewrap.interpreter(), descriptors)
            try:
                process = subprocess.Popen(  # noqa: S603 - no shell, and no word of it comes from a learner
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=printed_out,
                    stderr=printed_out,
                    pass_fds=tuple(vars(descriptors).values()),
                    env={},
                    cwd="/",
                    start_new_session=True,  # a group of its own, which can be killed without the judge
                    **account(uid),
                )
            except (OSError, subprocess.SubprocessError) as error:
                raise SandboxUnavailable(f"bubblewrap cannot be started: {error}") from error
        try:
            cell = Cell(process, _guest_pid(information_in))
        except SandboxUnavailable:
            _end_group(process)
            raise SandboxUnavailable(bubblewrap.explain(_what_is_left(printed_in))) from None
        os.close(information_in)
        ours.pop_all()
    return cell, Ends(requests_out, replies_in, printed_in)


class Cell:
    """A running sandbox; the guest is process 1 of its own process namespace, so its end is the end of all in it."""

    def __init__(self, process: subprocess.Popen[bytes], guest_pid: int) -> None:
        self._bubblewrap = process
        self._guest_pid = guest_pid
        self._end: End | None = None
        try:
            self._guest = os.pidfd_open(guest_pid)
        except ProcessLookupError as error:
            raise SandboxUnavailable("the sandbox ended at once") from error
        # The number was free to be given away until the line above; a child of our bubblewrap it can only be if it is
        # still the guest's.
        if _parent(guest_pid) != process.pid:
            os.close(self._guest)
            raise SandboxUnavailable("the sandbox ended at once")

    @property
    def guest_pid(self) -> int:
        """The guest's process id as the judge's machine knows it."""
        return self._guest_pid

    def cpu_seconds(self) -> float:
        """Return the processor time that the guest has used so far, its imports included."""
        # The clock of another process, as clock_getcpuclockid(3) makes its number.
        with contextlib.suppress(OSError):  # which is gone once the guest has ended
            return time.clock_gettime((~self._guest_pid << 3) | 2)
        end = self.wait(_PATIENCE_SECONDS)
        return 0.0 if end is None else end.cpu_seconds

    def wait(self, seconds: float) -> End | None:
        """Return how the guest ended, or None if it still runs after so long."""
        if self._end is None and _is_readable(self._guest, seconds):
            self._reap()
        return self._end

    def kill(self) -> None:
        """End everything inside, whatever it is doing, and wait until it is gone."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._guest, signal.SIGKILL)
        if self.wait(_PATIENCE_SECONDS) is None:
            _end_group(self._bubblewrap)
            raise SandboxUnavailable(f"process {self._guest_pid} cannot be killed")

    def close(self) -> None:
        self.kill()
        os.close(self._guest)

    def _reap(self) -> None:
        """Collect bubblewrap, which ends with its child and has by then counted its child's processor time."""
        bubblewrap_process = os.pidfd_open(self._bubblewrap.pid)
        try:
            if not _is_readable(bubblewrap_process, _PATIENCE_SECONDS):
                os.killpg(self._bubblewrap.pid, signal.SIGKILL)
        finally:
            os.close(bubblewrap_process)
        _, status, usage = os.wait4(self._bubblewrap.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        self._bubblewrap.returncode = code  # Popen would otherwise look for a child that is gone
        # bubblewrap ends with 128 + n where its child died of signal n.
        by_signal = -code if code < 0 else code - 128 if code > 128 else None
        self._end = End(by_signal, None if by_signal is not None else code, usage.ru_utime + usage.ru_stime)


def _pipe(*, reader: contextlib.ExitStack, writer: contextlib.ExitStack) -> tuple[int, int]:
    read_end, write_end = os.pipe()
    reader.callback(os.close, read_end)
    writer.callback(os.close, write_end)
    return read_end, write_end


def _memory_file(name: str, content: bytes, stack: contextlib.ExitStack) -> int:
    """Return a file that is only a descriptor, so that the sandbox's account needs no way to a folder of ours."""
    fd = os.memfd_create(name)
    stack.callback(os.close, fd)
    os.write(fd, content)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def _guest_pid(information: int) -> int:
    """Return the process id that bubblewrap wrote once it had made the namespaces."""
    written = b""
    # To the closing brace: bubblewrap writes field by field, and would die of a pipe that is closed before the last.
    while b"}" not in written:
        if not _is_readable(information, _BUBBLEWRAP_SECONDS):
            raise SandboxUnavailable(f"bubblewrap made no sandbox within {_BUBBLEWRAP_SECONDS} s")
        chunk = os.read(information, 4096)
        if not chunk:
            raise SandboxUnavailable("bubblewrap made no sandbox")
        written += chunk
    return int(json.loads(written)["child-pid"])


def _what_is_left(printed: int) -> str:
    """Return what lies in a pipe now, without waiting for more."""
    os.set_blocking(printed, False)
    try:
        return os.read(printed, 4096).decode(errors="replace")
    except BlockingIOError:
        return ""


def _parent(pid: int) -> int | None:
    try:
        # The name, in brackets, may hold anything, so the fields are counted from its end: state, then parent.
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return None


def _is_readable(fd: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _end_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(_PATIENCE_SECONDS)
