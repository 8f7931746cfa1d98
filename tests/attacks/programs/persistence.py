"""Leave something for the next learner's program: files, patches, settings, memory, threads."""

MARK = "left-by-an-attacker-" + "42"


def file_in_scratch(x):
    for path in ("/tmp/left", "left-in-the-folder"):
        with open(path, "w") as file:
            file.write(MARK)
    return x


def library_in_the_folder(x):
    for name in ("numpy.py", "json.py", "sitecustomize.py", "submission.py"):
        with open(f"/tmp/{name}", "w") as file:
            file.write("raise SystemExit('planted')")
    return x


def file_in_shared_memory(x):
    attempt("a file in /dev/shm", lambda: open("/dev/shm/left", "w").write(MARK) and "left")
    return x


def system_v_segment(x):
    attempt("a segment", lambda: system_call("shmget", 0x4242, 4096, 0o1666))
    return x


def patched_library(x):
    import builtins

    np.exp = np.sqrt = lambda value: value * 0 + 42
    builtins.sorted = lambda _: 42
    sys.modules["json"] = None
    return x


def settings_of_the_process(x):
    import resource
    import signal

    os.umask(0o777)
    np.random.seed(42)
    os.environ["LEFT"] = MARK
    np.seterr(all="raise")
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    signal.signal(signal.SIGALRM, lambda *_: os._exit(42))
    attempt("a smaller limit", lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8)))
    return x


def filled_memory(x):
    kept.extend([bytearray(MARK.encode() * 1000) for _ in range(1000)])
    return x


def threads_and_handlers(x):
    import atexit

    atexit.register(time.sleep, 60)
    threading.Thread(target=time.sleep, args=(60,)).start()
    return x


def orders_to_the_zygote(x):
    """Write what a zygote takes as an order to everything that is open."""
    for descriptor in range(0, 256):
        try:
            os.write(descriptor, b"C")
        except OSError:
            continue
        if descriptor > 4:
            print("GOT descriptor", descriptor)
    os._exit(0)
