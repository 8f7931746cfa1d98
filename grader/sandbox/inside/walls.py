"""What shuts a guest in, besides its limits and its filter: namespaces, or Landlock where those are refused.

Runs inside the sandbox, in the zygote and in each guest before it has seen anything of a learner's. The order matters
and was found by trying. It must not know what a guest does afterwards.
"""

import ctypes
import os
import signal
import struct
from collections.abc import Sequence
from typing import Protocol

NEWNS, NEWIPC, NEWUSER, NEWPID = 0x2_0000, 0x800_0000, 0x1000_0000, 0x2000_0000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 1, 2, 4, 8, 0x4000, 0x4_0000
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 24, 38
CAPABILITY_VERSION_3 = 0x2008_0522
SCRATCH = b"size=16m,nr_inodes=256,mode=0700"

# The same numbers on every architecture; linux/landlock.h names the rights.
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
LANDLOCK_CREATE_RULESET_VERSION, LANDLOCK_RULE_PATH_BENEATH = 1, 1
READ_FILE, READ_DIR = 1 << 2, 1 << 3
FILE_RIGHTS_BY_ABI = {1: 13, 2: 14, 3: 15, 5: 16}  # how many rights to files are known from this version on
NETWORK_RIGHTS = 0b11  # binding and connecting, known from version 4 on
SCOPES = 0b11  # abstract sockets and signals, known from version 6 on

libc = ctypes.CDLL(None, use_errno=True)
libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


class Walls(Protocol):
    """One way to shut guests in."""

    def enter(self) -> None:
        """Prepare the zygote, before it has imported anything large."""

    def fork(self) -> int:
        """Fork a guest; returns twice, as os.fork does."""

    def shut_in(self) -> None:
        """Shut the forked guest in for good."""


class Namespaces:
    """The zygote is process 1 of a namespace of its own, with power over mounts only there.

    A guest is process 1 of one more. It makes its mounts with the zygote's power and only then enters a user namespace
    of its own, in which it could not undo them even with every capability.
    """

    def __init__(self) -> None:
        self.own_namespace = -1

    def enter(self) -> None:
        uid, gid = os.getuid(), os.getgid()
        must(libc.unshare(NEWUSER | NEWPID | NEWNS | NEWIPC), "namespaces of the zygote")
        map_account(os.open("/proc/self", os.O_PATH | os.O_DIRECTORY), uid, gid)
        child = os.fork()
        if child:  # this half stays outside, and waits
            os.closerange(3, 256)
            _, status = os.waitpid(child, 0)
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        must(libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None), "private mounts")
        # Refused where the host's /proc is partly covered, as in a container; then the one that is there has to do.
        libc.mount(b"proc", b"/proc", b"proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, None)
        self.own_namespace = os.open("/proc/thread-self/ns/pid", os.O_RDONLY)

    def fork(self) -> int:
        must(libc.unshare(NEWPID), "process namespace")
        pid = -1
        try:
            pid = os.fork()
        finally:
            if pid != 0:  # or the zygote could never start a thread, and its next children would join this one's
                must(libc.setns(self.own_namespace, NEWPID), "way back")
        return pid

    def shut_in(self) -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        own = os.open("/proc/self", os.O_PATH | os.O_DIRECTORY)
        make_mounts()
        uid, gid = os.getuid(), os.getgid()
        must(libc.unshare(NEWUSER), "user namespace of the guest")
        map_account(own, uid, gid)
        for capability in range(64):
            if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
                break  # beyond the last one that this kernel knows
        must(libc.capset(struct.pack("II", CAPABILITY_VERSION_3, 0), bytes(24)), "no capabilities")


class NoWalls:
    """Nothing but limits and filter: for programs of ours, which are tried where nothing can be shut in."""

    def enter(self) -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)

    def fork(self) -> int:
        return os.fork()

    def shut_in(self) -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        os.chdir("/")


class Landlock:
    """No file but those that may be read, no network, no signal to others; for hosts without user namespaces.

    What is lost against namespaces: other processes of the account are seen by their numbers, the limit of processes
    counts all of them, and there is no scratch folder.
    """

    def __init__(self, readable: Sequence[str]) -> None:
        self.readable = readable
        self.abi = libc.syscall(LANDLOCK_CREATE_RULESET, None, 0, LANDLOCK_CREATE_RULESET_VERSION)

    def enter(self) -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if self.abi < 1:
            raise OSError("this kernel has no Landlock")
        if os.getuid() == 0:
            raise OSError("root would keep powers that Landlock does not take")

    def fork(self) -> int:
        return os.fork()

    def shut_in(self) -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        rights = (1 << max(count for abi, count in FILE_RIGHTS_BY_ABI.items() if abi <= self.abi)) - 1
        # Each version of the kernel's structure has one field more: files, network, scopes.
        wanted = struct.pack("<QQQ", rights, NETWORK_RIGHTS, SCOPES)
        size = 24 if self.abi >= 6 else 16 if self.abi >= 4 else 8
        rules = libc.syscall(LANDLOCK_CREATE_RULESET, wanted, size, 0)
        must(min(rules, 0), "rules")
        for path in self.readable:
            place = os.open(path, os.O_PATH)
            allowed = READ_FILE | READ_DIR if os.path.isdir(path) else READ_FILE  # noqa: PTH112 - no pathlib here
            rule = struct.pack("<Qi", allowed, place)
            must(libc.syscall(LANDLOCK_ADD_RULE, rules, LANDLOCK_RULE_PATH_BENEATH, rule, 0), f"rule for {path}")
            os.close(place)
        must(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
        must(libc.syscall(LANDLOCK_RESTRICT_SELF, rules, 0), "restriction")
        os.close(rules)
        os.chdir("/")


def must(result: int, what: str) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def map_account(process: int, uid: int, gid: int) -> None:
    """Give a new user namespace the one account that it needs; `process` is an open folder of /proc."""
    for name, line in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        fd = os.open(name, os.O_WRONLY, dir_fd=process)
        os.write(fd, line.encode())
        os.close(fd)
    os.close(process)


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
