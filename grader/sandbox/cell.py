"""One forked guest as the judge holds it: its pipes, its leash, its processor time, its end.

Whoever holds a leash may end the guest at any time; dropping it ends the guest as well. It must not know what is said
over the pipes, nor who forks.
"""

import contextlib
import os
import select
import socket
import struct
import time
from dataclasses import dataclass
from typing import Any, Self

from grader.sandbox.replies import SandboxUnavailable, ZygoteGone

# For the kernel to take a killed process apart: milliseconds, but a driver may first wait for what its device runs.
_PATIENCE_SECONDS = 20.0
_BORN = b"R"  # as the guest says it in `inside/zygote.py`
_END = struct.Struct("<iddq")  # as the zygote packs it
_CREDENTIALS = struct.Struct("3i")  # process, user and group id, as unix(7) says


@dataclass(frozen=True)
class Ends:
    """The judge's ends of the three pipes to a guest."""

    requests: int
    replies: int
    printed: int


@dataclass(frozen=True)
class End:
    """How a guest ended."""

    signal: int | None
    exit_code: int | None
    cpu_seconds: float
    peak_bytes: int  # most memory resident at once, the imported libraries included


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


class Cell:
    """A forked guest: process 1 of its own namespace, so that its end is the end of all in it."""

    def __init__(self, ends: Ends, leash: socket.socket, *, guest_pid: int = 0) -> None:
        self.ends, self.leash = ends, leash
        self._guest_pid = guest_pid
        self._end: End | None = None

    @classmethod
    def from_descriptors(cls, descriptors: list[int], guest_pid: int) -> Self:
        """Return the cell whose descriptors `descriptors` once gave."""
        requests, replies, printed, leash = descriptors
        return cls(Ends(requests, replies, printed), socket.socket(fileno=leash), guest_pid=guest_pid)

    @property
    def descriptors(self) -> list[int]:
        """The open files that make this cell, to be handed to another process."""
        return [self.ends.requests, self.ends.replies, self.ends.printed, self.leash.fileno()]

    @property
    def guest_pid(self) -> int:
        """The guest's process id as the judge's machine knows it; 0 until it is born."""
        return self._guest_pid

    def receive_birth(self) -> bool:
        """Take what the guest said when it was ready; False if it ended instead."""
        said, ancillary, _, _ = self.leash.recvmsg(16, socket.CMSG_SPACE(_CREDENTIALS.size))
        if said != _BORN or not ancillary:
            return False
        # The kernel says who sent it, in the numbers of whoever receives.
        self._guest_pid, _, _ = _CREDENTIALS.unpack(ancillary[0][2])
        return True

    def neighbours(self) -> int:
        """Return how many processes and threads of others the kernel counts against the limit of this guest's account.

        In a user namespace of its own there are none. Without one they are all that the account runs on this machine:
        other guests, and of a judge that is not root's everything else of that account.
        """
        # No Path: each part of one goes among Python's names, whose table has grown by a mebibyte after some thousands.
        guest = f"/proc/{self._guest_pid}"
        with contextlib.suppress(OSError):  # it ended, which the next question to it finds
            if not os.path.samefile(f"{guest}/ns/user", "/proc/self/ns/user"):  # noqa: PTH121
                return 0
            uid = os.stat(guest).st_uid  # noqa: PTH116
            return (
                sum(_threads(entry) for entry in os.scandir("/proc") if entry.name.isdigit() and _is_of(entry, uid)) - 1
            )
        return 0

    def cpu_seconds(self) -> float:
        """Return the processor time that the guest has used since it was forked."""
        # A guest that has ended had its say in the record; until that is read its number is not given away.
        if self._end is None:
            with contextlib.suppress(OSError):
                # The clock of another process, as clock_getcpuclockid(3) makes its number.
                return time.clock_gettime((~self._guest_pid << 3) | 2)
        end = self.wait(_PATIENCE_SECONDS)
        return 0.0 if end is None else end.cpu_seconds

    def wait(self, seconds: float) -> End | None:
        """Return how the guest ended, or None if it still runs after so long; ZygoteGone if nobody can say."""
        if self._end is None:
            poll = select.poll()
            poll.register(self.leash, select.POLLIN)
            if not poll.poll(seconds * 1000):
                return None
            try:
                record = self.leash.recv(_END.size)
            except ConnectionError:
                record = b""
            if len(record) != _END.size:
                raise ZygoteGone("the zygote ended, and its guests with it")
            status, user_seconds, system_seconds, peak_kibibytes = _END.unpack(record)
            code = os.waitstatus_to_exitcode(status)
            self._end = End(
                signal=-code if code < 0 else None,
                exit_code=code if code >= 0 else None,
                cpu_seconds=user_seconds + system_seconds,
                peak_bytes=peak_kibibytes * 1024,
            )
        return self._end

    def kill(self) -> None:
        """End everything inside, whatever it is doing, and wait until it is gone."""
        self.drop()
        if self.wait(_PATIENCE_SECONDS) is None:
            raise SandboxUnavailable(f"process {self._guest_pid} cannot be killed")

    def drop(self) -> None:
        """Have the guest ended, without waiting for it."""
        with contextlib.suppress(OSError):  # the zygote may have closed its end already
            self.leash.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Let go of the leash; the guest ends without anyone waiting for it."""
        self.drop()
        self.leash.close()

    def discard(self) -> None:
        """Let go of a guest that nobody will talk to, its pipes included."""
        self.drop()
        self.hand_over()

    def hand_over(self) -> None:
        """Close these copies of the open files; whoever was given the others holds the guest now."""
        self.leash.close()
        for pipe in (self.ends.requests, self.ends.replies, self.ends.printed):
            os.close(pipe)

    def printed_so_far(self) -> str:
        """Return what lies in the pipe of what the guest printed, without waiting for more."""
        os.set_blocking(self.ends.printed, False)
        try:
            return os.read(self.ends.printed, 4096).decode(errors="replace").strip()
        except BlockingIOError:
            return ""


def _is_of(process: "os.DirEntry[str]", uid: int) -> bool:
    with contextlib.suppress(OSError):  # it ended meanwhile
        return process.stat().st_uid == uid
    return False


def _threads(process: "os.DirEntry[str]") -> int:
    with contextlib.suppress(OSError):
        return os.stat(f"{process.path}/task").st_nlink - 2  # noqa: PTH116 - a hundred of these count
    return 0
