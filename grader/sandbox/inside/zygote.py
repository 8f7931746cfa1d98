"""The process that guests are forked from: it has imported the libraries, runs one thread and never sees learner code.

It runs inside bubblewrap, where nothing of ours is visible but this folder and the layout of the frames. For each guest
it gets open files, never a source, so that nothing of one learner lies in the memory that the next one's process is
copied from. It must not talk to a guest: it forks it, ends it when its leash is dropped, and reports how it ended.

The order matters and was found by trying: the zygote is process 1 of a namespace of its own, with power over mounts
only there; a guest is process 1 of one more, makes its mounts with that power and only then enters a user namespace
of its own, in which it could not undo them even with every capability.
"""

import contextlib
import ctypes
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
from typing import Any

sys.path[:0] = ["/sandbox"]
from grader.sandbox.inside import guest  # noqa: E402 - found only once the path is set

SITE_PACKAGES = "/sandbox/site-packages"  # `bubblewrap.py` knows the same path
CHILD = b"C"  # the one order there is; open files come with it: requests, replies, printed, leash
READY = struct.Struct("<II")  # threads, bytes of virtual memory in MiB
BORN = b"R"  # what a guest says over its leash; the kernel adds which process said it
END = struct.Struct("<iddq")  # wait status, user and system seconds, largest resident size in KiB
BACKSTOP_SECONDS = 300.0  # a judge that hangs holds its leash; no exercise may take nearly as long
KEPT = 5  # descriptors of a guest: nothing, printed, printed, requests, replies

NEWNS, NEWIPC, NEWUSER, NEWPID = 0x2_0000, 0x800_0000, 0x1000_0000, 0x2000_0000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 1, 2, 4, 8, 0x4000, 0x4_0000
MADV_COLLAPSE, HUGE_PAGE = 25, 2 << 20
PR_SET_PDEATHSIG, PR_CAPBSET_DROP = 1, 24
CAPABILITY_VERSION_3 = 0x2008_0522
SCRATCH = b"size=16m,nr_inodes=256,mode=0700"

libc = ctypes.CDLL(None, use_errno=True)
libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    libraries = sys.argv[2].split(",")
    sys.argv[1:] = []
    sys.path[:1] = []
    sys.path.append(SITE_PACKAGES)
    enter_own_namespaces(control)
    own_namespace = os.open("/proc/thread-self/ns/pid", os.O_RDONLY)
    warmed = guest.Warmth(libraries)
    for _ in range(2):  # the second run touches what the first one only made
        warmed.run()
    gc.collect()
    gc.freeze()  # a collection in a child would write to every page that it shares with the zygote
    gc.disable()
    collapse_into_huge_pages()
    threads = len(os.listdir("/proc/self/task"))  # noqa: PTH208 - as above
    if threads != 1:
        raise SystemExit(f"the zygote runs {threads} threads; a fork would copy the locks of the others as they are")
    memory_bytes = guest.virtual_bytes()
    control.send(READY.pack(threads, memory_bytes >> 20))
    Zygote(control, own_namespace, warmed, memory_bytes).serve()


def must(result: int, what: str) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def enter_own_namespaces(control: socket.socket) -> None:
    """Become process 1 of new namespaces, in which alone this process may mount; the caller's half waits outside."""
    uid, gid = os.getuid(), os.getgid()
    must(libc.unshare(NEWUSER | NEWPID | NEWNS | NEWIPC), "namespaces of the zygote")
    own = os.open("/proc/self", os.O_PATH | os.O_DIRECTORY)
    map_account(own, uid, gid)
    child = os.fork()
    if child:
        control.close()
        _, status = os.waitpid(child, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    must(libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None), "private mounts")
    # Refused where the host's /proc is partly covered, as in a container; then the one that is there has to do.
    libc.mount(b"proc", b"/proc", b"proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, None)


def map_account(process: int, uid: int, gid: int) -> None:
    """Give a new user namespace the one account that it needs; `process` is an open folder of /proc."""
    for name, line in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        fd = os.open(name, os.O_WRONLY, dir_fd=process)
        os.write(fd, line.encode())
        os.close(fd)
    os.close(process)


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
            libc.madvise(address, HUGE_PAGE, MADV_COLLAPSE)


class Zygote:
    """Forks guests as it is told and buries each with a record of its end."""

    def __init__(self, control: socket.socket, own_namespace: int, warmed: Any, memory_bytes: int) -> None:
        self.control, self.own_namespace, self.warmed, self.memory_bytes = control, own_namespace, warmed, memory_bytes
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
        must(libc.unshare(NEWPID), "process namespace")
        pid = -1
        try:
            pid = os.fork()
        finally:
            if pid != 0:  # or the zygote could never start a thread, and its next children would join this one's
                must(libc.setns(self.own_namespace, NEWPID), "way back")
        if pid == 0:
            self.become_guest(requests, replies, printed, leash)
        for fd in (requests, replies, printed):
            os.close(fd)
        process = os.pidfd_open(pid)
        self.leashes[process], self.pids[process] = socket.socket(fileno=leash), pid
        self.kill_at[process] = time.monotonic() + BACKSTOP_SECONDS
        self.poll.register(process, select.POLLIN)
        self.poll.register(leash, select.POLLIN)

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

    def become_guest(self, requests: int, replies: int, printed: int, leash: int) -> None:
        """In the new process: shut in, warm up, say that it is ready, and serve. Never returns."""
        try:
            os.setsid()  # or a signal to process group 0 would reach the zygote, across process namespaces
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            place_descriptors(requests, replies, printed, leash)
            own = os.open("/proc/self", os.O_PATH | os.O_DIRECTORY)
            make_mounts()
            uid, gid = os.getuid(), os.getgid()
            must(libc.unshare(NEWUSER), "user namespace of the guest")
            map_account(own, uid, gid)
            drop_capabilities()
            self.warmed.run()
            with socket.socket(fileno=KEPT) as held:
                held.send(BORN)
            guest.serve(self.memory_bytes)
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


def make_mounts() -> None:
    """Give a guest a scratch folder and a view of processes of its own; both end with it."""
    must(libc.unshare(NEWNS | NEWIPC), "mounts of the guest")
    must(libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None), "private mounts")
    account = f",uid={os.getuid()},gid={os.getgid()}".encode()
    quiet = MS_NOSUID | MS_NODEV | MS_NOEXEC
    must(libc.mount(b"tmpfs", b"/tmp", b"tmpfs", quiet, SCRATCH + account), "scratch folder")
    if libc.mount(b"proc", b"/proc", b"proc", MS_RDONLY | quiet, None) != 0:  # refused in a container: then none
        hidden = b"size=4k,nr_inodes=2,mode=0555"
        must(libc.mount(b"tmpfs", b"/proc", b"tmpfs", MS_RDONLY | quiet, hidden), "hidden /proc")
    os.chdir(b"/tmp")


def drop_capabilities() -> None:
    for capability in range(64):
        if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break  # beyond the last one that this kernel knows
    must(libc.capset(struct.pack("II", CAPABILITY_VERSION_3, 0), bytes(24)), "no capabilities")


if __name__ == "__main__":
    main()
