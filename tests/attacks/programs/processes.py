"""Start processes and threads, by every way there is."""

SIGCHLD = 17
SCRIPT = "import time; print('GOT a program', flush=True); time.sleep(2)"


def wait_a_while():
    time.sleep(2)


def fork_bomb(x):
    for _ in range(40):
        attempt("a process", lambda: in_child(wait_a_while))
    return x


def clone_bomb(x):
    for _ in range(10):
        try:
            child = system_call("clone", SIGCHLD, 0, 0, 0, 0)
        except OSError:
            continue
        if child == 0:
            time.sleep(2)
            os._exit(0)
        print("GOT a process")
    return x


def clone3_bomb(x):
    wanted = ctypes.create_string_buffer(struct.pack("11Q", 0, 0, 0, 0, SIGCHLD, 0, 0, 0, 0, 0, 0))
    for _ in range(10):
        try:
            child = system_call("clone3", wanted, 88)
        except OSError:
            continue
        if child == 0:
            time.sleep(2)
            os._exit(0)
        print("GOT a process")
    return x


def spawned_program(x):
    attempt("a program", lambda: os.posix_spawn(sys.executable, [sys.executable, "-I", "-S", "-c", SCRIPT], {}))
    return x


def subprocess_shell(x):
    import subprocess

    attempt("a shell", lambda: subprocess.Popen([sys.executable, "-I", "-S", "-c", SCRIPT], start_new_session=True))
    return x


def become_another_program(x):
    attempt("another program", lambda: os.execv(sys.executable, [sys.executable, "-I", "-S", "-c", SCRIPT]))
    return x


def daemon(x):
    def detach():
        os.setsid()
        in_child(lambda: time.sleep(60))

    attempt("a daemon", lambda: in_child(detach))
    return x


def worker_pool(x):
    import multiprocessing

    attempt("a worker", multiprocessing.get_context("fork").Process(target=wait_a_while).start)
    return x


def thread_bomb(x):
    threading.stack_size(64 << 10)
    for _ in range(100):
        try:
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        except RuntimeError:
            break
    return x
