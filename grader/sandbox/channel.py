"""The three pipes between judge and guest: requests in, replies out, and what the guest prints.

Owns waiting: nothing here blocks past a deadline of the monotonic clock, and whatever the guest prints is taken off its
hands while the judge waits, or a chatty program would hang. It must not know what the bytes mean.
"""

import fcntl
import os
import select
import threading
import time

from grader.sandbox.replies import Captured

_F_SETPIPE_SZ = 1031
_PIPE_BYTES = 1 << 20  # a larger pipe means fewer wake-ups; an unprivileged account may be refused it
_CHUNK = 1 << 18
_TAIL_SHARE = 4  # the end is kept in a quarter of the room for the beginning: a last traceback, a last number


class _Room(threading.local):
    """Where a thread puts down what arrives, for good: `os.read` would take new room for a whole chunk each time.

    It gives back what a short reply does not fill, but as soon as something small that stays lies there, the next chunk
    needs another place: a judge grew by 4 MiB in a thousand submissions.
    """

    def __init__(self) -> None:
        self.bytes = memoryview(bytearray(_CHUNK))

    def read(self, fd: int) -> memoryview:
        """Return what lies in a pipe, no more than a chunk; it is overwritten by the next."""
        return self.bytes[: os.readv(fd, [self.bytes])]


_room = _Room()


class DeadlinePassed(Exception):
    """The clock ran out before the guest had answered."""


class Ended(Exception):
    """The guest closed its end: it died, or it closed its pipe."""


class Flooded(Exception):
    """The guest printed more than it may."""


class Channel:
    """The judge's ends of the pipes; `requests`, `replies` and `printed` are file descriptors that it comes to own."""

    def __init__(self, *, requests: int, replies: int, printed: int, kept_bytes: int, flood_bytes: int) -> None:
        self._requests, self._replies, self._printed = requests, replies, printed
        self._kept_bytes, self._flood_bytes = kept_bytes, flood_bytes
        self._outgoing = memoryview(b"")
        self._deadline = 0.0
        self._received = bytearray()  # of replies, and not read yet: no more than a chunk beyond what was asked for
        self._head, self._tail = bytearray(), bytearray()
        self._printed_bytes = 0
        self._printing = True
        for fd in (requests, replies, printed):
            os.set_blocking(fd, False)
        for fd in (requests, replies):
            try:
                fcntl.fcntl(fd, _F_SETPIPE_SZ, _PIPE_BYTES)
            except PermissionError:  # the account has used up its share of pipe memory; small pipes work as well
                break

    def ask(self, request: bytes, *, deadline: float) -> None:
        """Begin to send a request; what the pipe does not take leaves while `read` waits, both until the deadline."""
        self._outgoing, self._deadline = memoryview(request), deadline
        self._send()

    def read(self, count: int) -> bytes:
        """Return the next `count` bytes of the reply; DeadlinePassed, Ended or Flooded instead."""
        while len(self._received) < count:  # also for a guest that trickles there is only so much time
            self._wait()
        taken = bytes(memoryview(self._received)[:count])
        del self._received[:count]
        return taken

    def captured(self) -> Captured:
        """Return what was printed so far."""
        while self._printing and self._printed_bytes <= self._flood_bytes and self._take_printed():
            pass
        is_cut = self._printed_bytes > len(self._head)
        return Captured(bytes(self._head), is_cut, bytes(self._tail), self._printed_bytes)

    def close(self) -> None:
        for fd in (self._requests, self._replies, self._printed):
            os.close(fd)

    def _wait(self) -> None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise DeadlinePassed
        poll = select.poll()
        poll.register(self._replies, select.POLLIN)
        if self._printing:
            poll.register(self._printed, select.POLLIN)
        if self._outgoing:
            poll.register(self._requests, select.POLLOUT)
        for fd, _ in poll.poll(left * 1000 + 1):
            if fd == self._printed:
                self._take_printed()
                if self._printed_bytes > self._flood_bytes:
                    raise Flooded
            elif fd == self._requests:
                self._send()
            else:
                self._take_reply()

    def _take_reply(self) -> None:
        chunk = _room.read(self._replies)
        if not chunk:
            raise Ended
        self._received += chunk

    def _send(self) -> None:
        try:
            self._outgoing = self._outgoing[os.write(self._requests, self._outgoing[:_CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:  # the guest closed its end; whether it still answers, the reply pipe will show
            self._outgoing = memoryview(b"")

    def _take_printed(self) -> bool:
        """Take one chunk of what was printed; return whether there may be more."""
        try:
            chunk = _room.read(self._printed)
        except BlockingIOError:
            return False
        self._printing = bool(chunk)
        self._printed_bytes += len(chunk)
        room = self._kept_bytes - len(self._head)
        self._head += chunk[:room]
        self._tail = (self._tail + chunk[room:])[-(self._kept_bytes // _TAIL_SHARE) :]
        return self._printing
