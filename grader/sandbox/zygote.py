"""A zygote as the judge holds it: started in bubblewrap, told to fork guests, dropped when it has served its time.

Owns that process and the socket to it. It must not know how many guests are kept ready, nor what they run.
"""

import contextlib
import os
import select
import signal
import socket
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from grader.sandbox import bubblewrap
from grader.sandbox.cell import Cell, Ends, account
from grader.sandbox.devices import Device
from grader.sandbox.filters import outer_filter
from grader.sandbox.replies import SandboxUnavailable, ZygoteGone
from grader.sandbox.rungs import Rung

_FORK = b"C"  # as `inside/zygote.py` reads it
_READY = struct.Struct("<II")  # threads, mebibytes of virtual memory
_PATIENCE_SECONDS = 5.0  # for the kernel to take a killed process apart
_SO_PASSCRED = 16  # Linux's number on every architecture that Python's socket module was asked for


Inherited = tuple[int, ...]  # descriptors


class Zygote:
    """One process that has imported the libraries; `begin` returns at once, `is_ready` tells when it may be used."""

    def __init__(
        self, process: subprocess.Popen[bytes], control: socket.socket, printed: int, kept: contextlib.ExitStack
    ) -> None:
        self._process, self.control, self._printed, self._kept = process, control, printed, kept
        self.pid = 0  # of the forking process, once it is ready
        self.forked = 0

    @classmethod
    def begin(cls, *, uid: int, libraries: Sequence[str], rung: Rung, device: Device) -> "Zygote":
        """Start a zygote; SandboxUnavailable when it cannot be run at all."""
        if device is not Device.CPU and rung is Rung.LANDLOCK:
            raise SandboxUnavailable("a driver reads more of /proc and /sys than may be shown without namespaces")
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setsockopt(socket.SOL_SOCKET, _SO_PASSCRED, 1)
        printed_in, printed_out = os.pipe()
        with contextlib.ExitStack() as passing, contextlib.ExitStack() as keeping:
            passing.callback(theirs.close)  # closed as soon as the sandbox has its own copies
            passing.callback(os.close, printed_out)
            keeping.callback(ours.close)
            keeping.callback(os.close, printed_in)
            if rung is Rung.BUBBLEWRAP:
                command, inherited = _in_bubblewrap(theirs.fileno(), libraries, device, passing)
            else:
                folder = _folder_of_programs(keeping)
                inherited = (theirs.fileno(),)
                command = bubblewrap.bare_command(
                    bubblewrap.interpreter(),
                    folder,
                    control=theirs.fileno(),
                    libraries=libraries,
                    rung=rung,
                    device=device,
                )
            try:
                process = subprocess.Popen(  # noqa: S603 - no shell, and no word of it comes from a learner
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=printed_out,
                    stderr=printed_out,
                    pass_fds=inherited,
                    env=bubblewrap.ENVIRONMENT_INSIDE,
                    cwd="/",
                    start_new_session=True,  # a group of its own, which can be killed without the judge
                    **account(uid),
                )
            except (OSError, subprocess.SubprocessError) as error:
                raise SandboxUnavailable(f"the sandbox cannot be started: {error}") from error
            return cls(process, ours, printed_in, keeping.pop_all())

    def receive_ready(self) -> None:
        """Take what the zygote says when its control socket has something to read; SandboxUnavailable if it failed."""
        said, ancillary, _, _ = self.control.recvmsg(_READY.size, socket.CMSG_SPACE(12))
        if len(said) != _READY.size or not ancillary:
            raise SandboxUnavailable(bubblewrap.explain(self._what_it_printed()))
        self.pid = int(struct.unpack("3i", ancillary[0][2])[0])

    def fork(self) -> Cell:
        """Return a guest that is being forked; it says so over its leash when it is ready."""
        with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
            requests_in, requests_out = _pipe(reader=theirs, writer=ours)
            replies_in, replies_out = _pipe(reader=ours, writer=theirs)
            printed_in, printed_out = _pipe(reader=ours, writer=theirs)
            leash, held = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            ours.callback(leash.close)
            theirs.callback(held.close)
            leash.setsockopt(socket.SOL_SOCKET, _SO_PASSCRED, 1)
            try:
                socket.send_fds(self.control, [_FORK], [requests_in, replies_out, printed_out, held.fileno()])
            except OSError as error:
                raise ZygoteGone(f"the zygote takes no orders: {error}") from error
            ours.pop_all()
        self.forked += 1
        return Cell(Ends(requests_out, replies_in, printed_in), leash)

    def resident_bytes(self) -> int:
        """Return how much memory the forking process holds; 0 once it is gone."""
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        except (OSError, IndexError):
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE")

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def retire(self) -> None:
        """Let the zygote end when the last of its guests has."""
        self.control.close()

    def close(self) -> None:
        """End the zygote and every guest of it."""
        self.control.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(_PATIENCE_SECONDS)
        self.forget()

    def forget(self) -> None:
        """Let go of what is left of a zygote that has ended."""
        self._kept.close()

    def _what_it_printed(self) -> str:
        """Return what lies in its pipe, waiting a little for bubblewrap's last words."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        poll = select.poll()
        poll.register(self._printed, select.POLLIN)
        return os.read(self._printed, 4096).decode(errors="replace") if poll.poll(0) else ""


def _pipe(*, reader: contextlib.ExitStack, writer: contextlib.ExitStack) -> tuple[int, int]:
    read_end, write_end = os.pipe()
    reader.callback(os.close, read_end)
    writer.callback(os.close, write_end)
    return read_end, write_end


def _in_bubblewrap(
    control: int, libraries: Sequence[str], device: Device, passing: contextlib.ExitStack
) -> tuple[list[str], Inherited]:
    descriptors = bubblewrap.Descriptors(
        programs=tuple(_memory_file((bubblewrap.PROJECT / path).read_bytes(), passing) for path in bubblewrap.PROGRAMS),
        filter=_memory_file(outer_filter(), passing),
        control=control,
    )
    command = bubblewrap.command(bubblewrap.interpreter(), descriptors, libraries, device=device)
    return command, descriptors.every()


def _folder_of_programs(keeping: contextlib.ExitStack) -> Path:
    # Copies, since the sandbox's account may have no way to a folder of ours; guests cannot read them.
    folder = Path(keeping.enter_context(tempfile.TemporaryDirectory(prefix="sandbox-")))
    folder.chmod(0o755)
    for path in bubblewrap.PROGRAMS:
        copy = folder / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((bubblewrap.PROJECT / path).read_bytes())
    return folder


def _memory_file(content: bytes, stack: contextlib.ExitStack) -> int:
    """Return a file that is only a descriptor, so that the sandbox's account needs no way to a folder of ours."""
    fd = os.memfd_create("sandbox")
    stack.callback(os.close, fd)
    os.write(fd, content)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd
