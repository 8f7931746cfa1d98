"""The process that owns the zygote: it outlives the judge's workers and hands each that asks a guest that is ready.

Started by `keeper.py`, which also holds the socket that it listens on, so that a worker which asks while a supervisor
is being replaced simply waits. It never sees a source, an input or an answer: those pass between worker and guest.
"""

import contextlib
import ctypes
import logging.config
import os
import select
import signal
import socket
import sys
from collections import deque

from grader.log_lines import logging_options
from grader.sandbox.devices import Device
from grader.sandbox.nursery import Library, Nursery
from grader.sandbox.rungs import Rung

_PR_SET_PDEATHSIG = 1

GUEST, REFUSAL = b"G", b"R"  # what an answer begins with: the guest's process id follows, or the reason
ANSWER_BYTES = 4096


class Supervisor:
    """Answers askers in the order they came, from one nursery."""

    def __init__(self, listener: socket.socket, nursery: Nursery) -> None:
        self._listener, self._nursery = listener, nursery
        self._askers: deque[socket.socket] = deque()
        self._is_stopped = False
        listener.setblocking(False)

    def stop(self) -> None:
        self._is_stopped = True

    def run(self) -> None:
        """Serve until stopped; every guest ends with it."""
        try:
            while not self._is_stopped:
                self._nursery.attend()
                self._answer()
                poll = select.poll()
                for descriptor in (self._listener.fileno(), *self._nursery.descriptors()):
                    poll.register(descriptor, select.POLLIN)
                if any(fd == self._listener.fileno() for fd, _ in poll.poll(1000 * self._nursery.due_seconds())):
                    self._accept()
                    self._answer()  # before anything else: somebody waits, and most often a guest is ready
        finally:
            self._nursery.close()

    def _accept(self) -> None:
        with contextlib.suppress(BlockingIOError):
            asker, _ = self._listener.accept()
            self._askers.append(asker)

    def _answer(self) -> None:
        while self._askers:
            cell = self._nursery.pop()
            if cell is None and not self._nursery.reason:
                return
            with self._askers.popleft() as asker, contextlib.suppress(OSError):  # it may have given up
                if cell is None:
                    asker.send(REFUSAL + self._nursery.reason.encode()[: ANSWER_BYTES - 1])
                else:
                    socket.send_fds(asker, [GUEST + str(cell.guest_pid).encode()], cell.descriptors)
            if cell is not None:
                cell.hand_over()


def main() -> None:
    """Run with the arguments that `keeper.py` gives: the listener, user id, libraries, rung, device and log format."""
    parent = os.getppid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:  # it had ended before the line above
        return
    listener, uid, libraries, rung, device, log_format = sys.argv[1:]
    logging.config.dictConfig(logging_options("json" if log_format == "json" else "text"))
    known: tuple[Library, ...] = ("numpy", "pytorch")
    wanted = [library for library in known if library in libraries.split(",")]
    nursery = Nursery(uid=int(uid), libraries=wanted, rung=Rung(rung), device=Device(device))
    supervisor = Supervisor(socket.socket(fileno=int(listener)), nursery)
    signal.signal(signal.SIGTERM, lambda *_: supervisor.stop())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C reaches the whole group; the judge says when to stop
    supervisor.run()


if __name__ == "__main__":
    main()
