"""System call filters, built by name through libseccomp on the host; a guest only ever sees the finished program.

Two filters stack, and the stricter answer wins. The outer one lies over the whole sandbox, trusted imports included,
and denies what neither an interpreter nor a library needs: imports of versions not met yet must not break on it. The
inner one, put on just before the learner's source arrives, allows a list and denies the rest. This module must not know
who runs where.
"""

import ctypes
import functools
import os

from grader.sandbox.devices import Device
from grader.sandbox.replies import SandboxUnavailable

_KILL_PROCESS = 0x8000_0000
_ALLOW = 0x7FFF_0000
_ERRNO = 0x0005_0000
_EPERM, _ENOSYS = 1, 38
_ATTRIBUTE_BAD_ARCHITECTURE = 2
_AT_MOST, _EQUAL, _MASKED_EQUAL = 3, 4, 7  # libseccomp's comparison operators

_CLONE_THREAD = 0x0001_0000
# NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
_CLONE_NAMESPACES = 0x80 | 0x2_0000 | 0x200_0000 | 0x400_0000 | 0x800_0000 | 0x1000_0000 | 0x2000_0000 | 0x4000_0000

# Kernel surface with a history of escapes. Namespaces and mounts are left: the zygote makes those of its guests.
_DENIED_IN_SANDBOX = """
io_uring_setup io_uring_enter io_uring_register bpf keyctl add_key request_key userfaultfd perf_event_open ptrace
process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd kexec_load kexec_file_load init_module
finit_module delete_module open_by_handle_at name_to_handle_at fanotify_init lookup_dcookie quotactl acct swapon
swapoff reboot syslog settimeofday clock_settime clock_adjtime adjtimex iopl ioperm modify_ldt vmsplice migrate_pages
move_pages memfd_secret shmget shmat shmctl msgget msgsnd msgrcv semget semop mq_open pivot_root chroot
fsopen fsconfig fsmount fspick open_tree move_mount mount_setattr personality vhangup nfsservctl socket
socketpair
"""

# What a program that computes needs: memory, threads, clocks, files, its pipes. No process, no socket, no signal to
# others, nothing that changes a mode or an owner (the only folder that is not read-only is the guest's own), and no
# anonymous file, since rlimits do not cover memfd_create. `kill` is out because kill(0) reaches across process
# namespaces.
_ALLOWED_TO_GUEST = """
read write readv writev pread64 pwrite64 preadv pwritev mmap munmap mprotect mremap brk madvise msync mincore futex
futex_waitv set_robust_list get_robust_list rseq set_tid_address gettid getpid getppid getuid geteuid getgid getegid
getgroups getresuid getresgid getpgrp getpgid getsid rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending
rt_sigtimedwait rt_sigsuspend sigaltstack pause clock_gettime clock_getres gettimeofday time nanosleep
clock_nanosleep times getrusage getitimer setitimer alarm sched_yield sched_getaffinity getcpu sched_getparam
sched_getscheduler sched_get_priority_max sched_get_priority_min open openat newfstatat stat fstat lstat statx statfs
fstatfs access faccessat faccessat2 readlink readlinkat getcwd chdir fchdir lseek getdents getdents64 close
close_range dup dup2 dup3 fadvise64 umask pipe pipe2 poll ppoll select pselect6 epoll_create1 epoll_ctl
epoll_wait epoll_pwait eventfd2 uname sysinfo getrandom getrlimit exit exit_group restart_syscall membarrier wait4
waitid getpriority mkdir mkdirat unlink unlinkat rmdir rename renameat renameat2 ftruncate truncate fsync fdatasync
"""

_TERMINAL_QUESTIONS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS TIOCGWINSZ FIONREAD FIONBIO FIO(N)CLEX
_THREAD_NAMES = (15, 16)  # PR_SET_NAME, PR_GET_NAME
# F_DUPFD F_GETFD F_SETFD F_GETFL F_SETFL, three for locks, F_DUPFD_CLOEXEC, the size of a pipe. F_SETOWN and F_SETSIG
# are left out: with them the kernel sends any signal to any process of the account for the asking.
_FILE_ORDERS = (0, 1, 2, 3, 4, 5, 6, 7, 1030, 1031, 1032)
_FIRST_PROCESS = 1  # each guest in a namespace of its own; where it has none, it may not even signal itself

# NVIDIA's requests carry the letter F in their second byte; those of nvidia-uvm are small bare numbers, but for two.
_NVIDIA_LETTER, _LETTER_MASK = 0x4600, 0xFF00
_UVM_LARGEST, _UVM_BEGIN_AND_END = 0xFF, (0x3000_0001, 0x3000_0002)


class _Comparison(ctypes.Structure):
    """struct scmp_arg_cmp: the argument at `position` compared with `first` (and, for a mask, `second`)."""

    _fields_ = (
        ("position", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


@functools.cache
def outer_filter() -> bytes:
    """Return the program that bubblewrap puts on before it starts the interpreter."""
    build = _Build(default=_ALLOW)
    for name in _DENIED_IN_SANDBOX.split():
        build.add(name, _ERRNO | _EPERM)
    return build.finish()


@functools.cache
def guest_filter(device: Device = Device.CPU) -> bytes:
    """Return the program that the guest puts on before the first untrusted byte; a driver's calls need more of it."""
    build = _Build(default=_ERRNO | _EPERM)
    for name in _ALLOWED_TO_GUEST.split():
        build.add(name, _ALLOW)
    build.add("clone", _ALLOW, _Comparison(0, _MASKED_EQUAL, _CLONE_THREAD | _CLONE_NAMESPACES, _CLONE_THREAD))
    build.add(
        "clone3", _ERRNO | _ENOSYS
    )  # its flags lie in memory, out of a filter's sight; the C library uses clone then
    # Reading its own limits: process 0 is itself, and a null pointer for the new limit changes nothing.
    build.add("prlimit64", _ALLOW, _Comparison(0, _EQUAL, 0), _Comparison(2, _EQUAL, 0))
    for question in _TERMINAL_QUESTIONS:
        build.add("ioctl", _ALLOW, _Comparison(1, _EQUAL, question))
    if device is Device.CUDA:
        build.add("ioctl", _ALLOW, _Comparison(1, _MASKED_EQUAL, _LETTER_MASK, _NVIDIA_LETTER))
        build.add("ioctl", _ALLOW, _Comparison(1, _AT_MOST, _UVM_LARGEST))
        for request in _UVM_BEGIN_AND_END:
            build.add("ioctl", _ALLOW, _Comparison(1, _EQUAL, request))
    build.add("tgkill", _ALLOW, _Comparison(0, _EQUAL, _FIRST_PROCESS))  # as abort and raise do to themselves
    for order in _FILE_ORDERS:
        build.add("fcntl", _ALLOW, _Comparison(1, _EQUAL, order))
    for option in _THREAD_NAMES:
        build.add("prctl", _ALLOW, _Comparison(0, _EQUAL, option))
    return build.finish()


@functools.cache
def syscall_number(name: str) -> int:
    """Return the number of a system call on this machine."""
    return int(_library().seccomp_syscall_resolve_name(name.encode()))


class _Build:
    """One filter in the making. A foreign architecture, or x32 on x86-64, kills whatever tries it."""

    def __init__(self, *, default: int) -> None:
        self._library = _library()
        self._context = self._library.seccomp_init(default)
        if not self._context:
            raise SandboxUnavailable("libseccomp could not begin a filter")
        self._must(
            self._library.seccomp_attr_set(self._context, _ATTRIBUTE_BAD_ARCHITECTURE, _KILL_PROCESS), "attribute"
        )

    def add(self, name: str, action: int, *comparisons: _Comparison) -> None:
        number = syscall_number(name)
        if number < 0:  # not a call of this architecture, or younger than this libseccomp: the default rules it
            return
        array = (_Comparison * max(1, len(comparisons)))(*comparisons)
        self._must(self._library.seccomp_rule_add_array(self._context, action, number, len(comparisons), array), name)

    def finish(self) -> bytes:
        fd = os.memfd_create("filter")
        try:
            self._must(self._library.seccomp_export_bpf(self._context, fd), "export")
            return os.pread(fd, 1 << 20, 0)
        finally:
            os.close(fd)
            self._library.seccomp_release(self._context)

    def _must(self, result: int, what: str) -> None:
        if result < 0:
            raise SandboxUnavailable(f"libseccomp refused {what}: {os.strerror(-result)}")


@functools.cache
def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError as error:
        raise SandboxUnavailable("libseccomp.so.2 cannot be loaded; on Debian: apt-get install libseccomp2") from error
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [ctypes.c_uint32]
    library.seccomp_release.argtypes = [ctypes.c_void_p]
    library.seccomp_release.restype = None
    library.seccomp_attr_set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32]
    library.seccomp_syscall_resolve_name.argtypes = [ctypes.c_char_p]
    library.seccomp_export_bpf.argtypes = [ctypes.c_void_p, ctypes.c_int]
    library.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.POINTER(_Comparison),
    ]
    return library
