"""End, stop or take over other processes."""

import fcntl

SIGKILL = 9
OTHERS = [process for process in (*range(2, 40), *WORLD["processes"]) if process != os.getpid()]


def kill_everyone(x):
    attempt("a signal to everyone", lambda: os.kill(-1, SIGKILL))
    return x


def kill_its_group(x):
    attempt("a signal to its group", lambda: os.kill(0, SIGKILL))
    return x


def kill_by_number(x):
    for process in OTHERS:
        attempt(f"a signal to {process}", lambda: os.kill(process, SIGKILL))
    return x


def thread_signal(x):
    for process in OTHERS:
        attempt(f"a signal to thread {process}", lambda: system_call("tgkill", process, process, SIGKILL))
    return x


def queued_signal(x):
    told = ctypes.create_string_buffer(struct.pack("iii", SIGKILL, 0, -1), 128)
    for process in OTHERS:
        attempt(f"a queued signal to {process}", lambda: system_call("rt_sigqueueinfo", process, SIGKILL, told))
    return x


def signal_by_a_pipe(x):
    """Have the kernel send it, as the owner that a descriptor names is sent a signal when there is something to read."""
    for owner in (*OTHERS, *(-other for other in OTHERS)):
        reading, writing = os.pipe()
        try:
            fcntl.fcntl(reading, fcntl.F_SETOWN, owner)
            fcntl.fcntl(reading, 10, SIGKILL)  # F_SETSIG
            fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
            os.write(writing, b"x")
            print("GOT a signal to", owner)
        except OSError:
            pass
        os.close(reading)
        os.close(writing)
    return x


def pidfd(x):
    for process in OTHERS:
        attempt(f"a hold on {process}", lambda: system_call("pidfd_open", process, 0))
    reach("pidfd_getfd", 0, 0, 0)
    reach("pidfd_send_signal", 0, 0, 0, 0)
    return x


def traced(x):
    for process in (1, *OTHERS):
        attempt(f"the trace of {process}", lambda: system_call("ptrace", 16, process, 0, 0))
    reach("ptrace", 16, 999_999, 0, 0)
    return x


def foreign_memory(x):
    buffer = ctypes.create_string_buffer(64)
    span = ctypes.create_string_buffer(struct.pack("PN", ctypes.addressof(buffer), 64))
    for name in ("process_vm_readv", "process_vm_writev"):
        for process in (1, *OTHERS):
            attempt(f"{name} {process}", lambda: system_call(name, process, span, 1, span, 1, 0))
    return x


def priorities(x):
    attempt("a higher priority", lambda: os.nice(-5))
    attempt("a lower priority", lambda: os.nice(5))
    attempt("another scheduler", lambda: os.sched_setscheduler(0, 3, os.sched_param(0)))
    attempt("other cores", lambda: os.sched_setaffinity(0, {0}))
    return x
