"""Reach parts of the kernel that no computing program needs, by the call itself."""

import platform

NEWUSER, NEWNS = 0x1000_0000, 0x2_0000


def namespaces(x):
    reach("unshare", NEWUSER)
    reach("unshare", NEWNS)
    reach("setns", 0, 0)
    reach("clone", NEWUSER | 0x100, 0, 0, 0, 0)
    return x


def mounts(x):
    reach("mount", 0, 0, 0, 0, 0)
    reach("umount2", 0, 0)
    reach("mount_setattr", -1, 0, 0, 0, 0)
    for name in ("pivot_root", "chroot", "fsopen", "fsmount", "fspick", "open_tree", "move_mount"):
        reach(name, 0, 0, 0, 0, 0)
    return x


def uncovered_processes(x):
    """Take the own view of processes away, below which lies that of the zygote."""
    attempt("an unmounted /proc", lambda: system_call("umount2", b"/proc", 2))
    for process in os.listdir("/proc"):
        if process.isdigit() and process != "1":
            print("GOT process", process)
    return x


def regained_power(x):
    """Become root in a new user namespace, and mount there."""
    attempt("a new user namespace", lambda: system_call("unshare", NEWUSER | NEWNS))
    attempt("a mount", lambda: system_call("mount", b"none", b"/tmp", b"tmpfs", 0, 0))
    return x


def kernel_programs(x):
    for name in ("bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register"):
        reach(name, 0, 0, 0, 0, 0, 0)
    return x


def keys_and_queues(x):
    for name in ("keyctl", "add_key", "request_key", "shmget", "msgget", "semget", "mq_open"):
        reach(name, 0, 0, 0, 0, 0)
    return x


def modules_and_machine(x):
    for name in ("init_module", "finit_module", "delete_module", "kexec_load", "reboot", "swapon", "iopl", "ioperm"):
        reach(name, 0, 0, 0, 0, 0)
    for name in ("settimeofday", "clock_settime", "sethostname", "acct", "quotactl", "syslog", "modify_ldt"):
        reach(name, 0, 0, 0, 0)
    return x


def identities(x):
    for name in ("setuid", "setgid", "setresuid", "setresgid", "setgroups", "capset", "personality", "setfsuid"):
        reach(name, 0, 0, 0, 0)
    return x


def raised_limits(x):
    import resource

    most = resource.RLIM_INFINITY
    for which in (resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE):
        attempt("a higher limit", lambda: resource.setrlimit(which, (most, most)))
        wanted = ctypes.create_string_buffer(struct.pack("QQ", 1 << 40, 1 << 40))
        attempt("a higher limit", lambda: system_call("prlimit64", 0, which, wanted, 0))
    return x


def filters_of_its_own(x):
    reach("seccomp", 1, 0, 0)
    reach("prctl", 22, 2, 0, 0, 0)
    reach("prctl", 1, 0, 0, 0, 0)
    reach("prctl", 4, 0, 0, 0, 0)
    reach("landlock_create_ruleset", 0, 0, 1)
    return x


def watchers(x):
    for name in ("fanotify_init", "inotify_init1", "lookup_dcookie", "kcmp", "vmsplice", "splice", "tee"):
        reach(name, 0, 0, 0, 0, 0, 0)
    return x


def typed_into_terminal(x):
    reach("ioctl", 0, 0x5412, b"x")
    reach("ioctl", 0, 0x541C, b"\x0c")
    return x


def foreign_numbers(x):
    """Ask in the words of another architecture, which a filter by number would not know."""
    if platform.machine() != "x86_64":
        os.abort()
    libc.syscall(ctypes.c_long(0x4000_0000 | 39))
    print("GOT the x32 architecture")
    return x


def thirty_two_bits(x):
    """Ask through the old gate, whose numbers mean other calls."""
    if platform.machine() != "x86_64":
        os.abort()
    import mmap

    code = mmap.mmap(-1, 4096, prot=7)
    code.write(bytes([0xB8, 20, 0, 0, 0, 0xCD, 0x80, 0xC3]))  # getpid by int 0x80
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
    print("GOT the 32-bit gate")
    return x
