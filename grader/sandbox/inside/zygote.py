"""The process that guests are forked from: it has imported the libraries, runs one thread and never sees learner code.

Nothing of ours is visible where it runs but this folder and the layout of the frames. For each guest it gets open
files, never a source, so that nothing of one learner lies in the memory that the next one's process is copied from. It
must not talk to a guest: it forks it, ends it when its leash is dropped, and reports how it ended. What shuts guests in
is the business of `walls.py`.
"""

import contextlib
import fcntl
import gc
import os
import resource
import select
import signal
import socket
import struct
import sys
import time

PROGRAMS = __file__.removesuffix("/grader/sandbox/inside/zygote.py")
sys.path[:0] = [PROGRAMS]
from grader.sandbox.inside import guest, walls, warmth  # noqa: E402 - found only once the path is set

CHILD = b"C"  # the one order there is; open files come with it: requests, replies, printed, leash
READY = struct.Struct("<II")  # threads, bytes of virtual memory in MiB
BORN = b"R"  # what a guest says over its leash; the kernel adds which process said it
END = struct.Struct("<iddq")  # wait status, user and system seconds, largest resident size in KiB
BACKSTOP_SECONDS = 300.0  # a judge that hangs holds its leash; no exercise may take nearly as long
KEPT = 5  # descriptors of a guest: nothing, printed, printed, requests, replies

MADV_COLLAPSE, HUGE_PAGE = 25, 2 << 20


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    device, libraries, packages, rung, *readable = sys.argv[2:]
    sys.argv[1:] = []
    sys.path.remove(PROGRAMS)  # learners' programs find nothing of ours
    sys.path.append(packages)
    shut = walls_of(rung, [*readable, packages])
    shut.enter()
    warmed = warmth.Warmth(libraries.split(","), device)
    for _ in range(2):  # the second run touches what the first one only made
        for library in warmed.libraries:
            warmed.run(library, "cpu")  # a device that was touched before a fork is of no use after it
    gc.collect()
    gc.freeze()  # a collection in a child would write to every page that it shares with the zygote
    gc.disable()
    collapse_into_huge_pages()
    threads = len(os.listdir("/proc/self/task"))  # noqa: PTH208 - as above
    if threads != 1:
        raise SystemExit(f"the zygote runs {threads} threads; a fork would copy the locks of the others as they are")
    memory_bytes = guest.virtual_bytes()
    control.send(READY.pack(threads, memory_bytes >> 20))
    Zygote(control, shut, warmed, memory_bytes=memory_bytes, device=device).serve()


def walls_of(rung: str, readable: list[str]) -> walls.Walls:
    if rung == "filter":
        return walls.NoWalls()
    return walls.Landlock(readable) if rung == "landlock" else walls.Namespaces()


def collapse_into_huge_pages() -> None:
    """Gather the heap into large pages, of which a fork has 512 times fewer to copy; a kernel without them declines."""
    with open("/proc/self/maps") as maps:  # noqa: PTH123 - pathlib would be imported for this alone
        lines = maps.read().splitlines()
    for line in lines:
        fields = line.split()
        if fields[1] != "rw-p" or (len(fields) > 5 and fields[5] != "[heap]"):
            continue
        begin, end = (int(text, 16) for text in fields[0].split("-"))
        for address in range(-(-begin // HUGE_PAGE) * HUGE_PAGE, end - HUGE_PAGE + 1, HUGE_PAGE):
            walls.libc.madvise(address, HUGE_PAGE, MADV_COLLAPSE)


class Zygote:
    """Forks guests as it is told and buries each with a record of its end."""

    def __init__(
        self, control: socket.socket, shut: walls.Walls, warmed: warmth.Warmth, *, memory_bytes: int, device: str
    ) -> None:
        self.control, self.walls, self.warmed = control, shut, warmed
        self.memory_bytes, self.device = memory_bytes, device
        # Two on a device would take each other's time and memory, so the order for the next waits in the socket.
        self.is_one_at_a_time = device != "cpu"
        self.poll = select.poll()
        self.poll.register(control, select.POLLIN)
        self.leashes: dict[int, socket.socket] = {}  # by the guest's process descriptor
        self.pids: dict[int, int] = {}
        self.kill_at: dict[int, float] = {}
        self.is_retired = False

    def serve(self) -> None:
        """Run until the control socket is closed and the last guest has ended."""
        while not (self.is_retired and not self.pids):
            wait_ms = None
            if self.kill_at:
                wait_ms = max(0.0, min(self.kill_at.values()) - time.monotonic()) * 1000 + 1
            by_leash = {leash.fileno(): process for process, leash in self.leashes.items()}
            for fd, _ in self.poll.poll(wait_ms):
                if fd == self.control.fileno():
                    self.take_order()
                elif fd in self.pids:
                    self.bury(fd)
                elif fd in by_leash and by_leash[fd] in self.pids:
                    self.kill(by_leash[fd])
            now = time.monotonic()
            for process in [each for each, at in self.kill_at.items() if at <= now]:
                self.kill(process)

    def take_order(self) -> None:
        try:
            order, files, _, _ = socket.recv_fds(self.control, 16, 4)
        except OSError:
            order, files = b"", []
        if order == CHILD and len(files) == 4:
            self.fork(*files)
            return
        for fd in files:
            os.close(fd)
        if not order:
            self.is_retired = True
            self.poll.unregister(self.control)

    def fork(self, requests: int, replies: int, printed: int, leash: int) -> None:
        pid = self.walls.fork()
        if pid == 0:
            self.become_guest(requests, replies, printed, leash)
        for fd in (requests, replies, printed):
            os.close(fd)
        process = os.pidfd_open(pid)
        self.leashes[process], self.pids[process] = socket.socket(fileno=leash), pid
        self.kill_at[process] = time.monotonic() + BACKSTOP_SECONDS
        self.poll.register(process, select.POLLIN)
        self.poll.register(leash, select.POLLIN)
        if self.is_one_at_a_time:
            self.poll.unregister(self.control)

    def kill(self, process: int) -> None:
        """End a guest and everything that it started; its record follows when the kernel is done."""
        if self.kill_at.pop(process, None) is not None:
            self.poll.unregister(self.leashes[process])
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(process, signal.SIGKILL)

    def bury(self, process: int) -> None:
        _, status, usage = os.wait4(self.pids.pop(process), 0)
        leash = self.leashes.pop(process)
        self.poll.unregister(process)
        if self.kill_at.pop(process, None) is not None:
            self.poll.unregister(leash)
        with contextlib.suppress(OSError):  # whoever held the other end is gone, and so is the interest
            leash.send(END.pack(status, usage.ru_utime, usage.ru_stime, usage.ru_maxrss))
        leash.close()
        os.close(process)
        if self.is_one_at_a_time:
            self.poll.register(self.control, select.POLLIN)

    def become_guest(self, requests: int, replies: int, printed: int, leash: int) -> None:
        """In the new process: shut in, warm up, say that it is ready, and serve. Never returns."""
        try:
            os.setsid()  # or a signal to process group 0 would reach the zygote, across process namespaces
            place_descriptors(requests, replies, printed, leash)
            self.walls.shut_in()
            self.warmed.at_birth()
            with socket.socket(fileno=KEPT) as held:
                held.send(BORN)
            guest.serve(self.memory_bytes, self.device, self.warmed.place_in)
        except BaseException as error:  # trusted code still: the operator reads this in the judge's log
            with contextlib.suppress(OSError):
                os.write(2, f"{type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(97)


def place_descriptors(requests: int, replies: int, printed: int, leash: int) -> None:
    """Move the open files of a guest to their places and close every other one."""
    nothing = os.open("/dev/null", os.O_RDONLY)
    moved = [fcntl.fcntl(fd, fcntl.F_DUPFD, 100) for fd in (nothing, printed, printed, requests, replies, leash)]
    for place, fd in enumerate(moved):
        os.dup2(fd, place, inheritable=False)
    os.closerange(len(moved), resource.getrlimit(resource.RLIMIT_NOFILE)[0])


if __name__ == "__main__":
    main()
