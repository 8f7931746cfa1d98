"""Leave something changed: files, modes, links, libraries, settings of the kernel."""


def write(path, text="escaped"):
    with open(path, "w") as file:
        file.write(text)


def everywhere(x):
    folders = [*WORLD["folders"], "/", "/dev", "/dev/shm", "/usr", "/usr/lib", "/sandbox", "/proc", *sys.path]
    for folder in folders:
        path = f"{folder}/written-by-a-guest"
        attempt(path, lambda: write(path))
        attempt(path, lambda: os.mkdir(path))
    return x


def modes(x):
    for path in ("/dev/null", "/tmp", *WORLD["folders"]):
        attempt("mode of " + path, lambda: os.chmod(path, 0o700))
        attempt("owner of " + path, lambda: os.chown(path, 0, 0))
    return x


def times_and_attributes(x):
    for path in ("/dev/null", "/tmp", *WORLD["folders"]):
        attempt("time of " + path, lambda: os.utime(path, (0, 0)))
        attempt("attribute of " + path, lambda: os.setxattr(path, "user.escaped", b"1"))
    return x


def library(x):
    attempt("a library", lambda: write(np.__file__))
    attempt("its removal", lambda: os.unlink(np.__file__))
    attempt("another in its place", lambda: os.rename(np.__file__, np.__file__ + ".old"))
    return x


def programs_of_the_sandbox(x):
    for name in ("zygote", "guest", "arrays"):
        attempt(name, lambda: write(f"/sandbox/grader/sandbox/inside/{name}.py"))
    return x


def kernel_settings(x):
    for name in ("kernel/hostname", "kernel/core_pattern", "vm/overcommit_memory", "user/max_user_namespaces"):
        attempt(name, lambda: write("/proc/sys/" + name, "1"))
    for name in ("oom_score_adj", "uid_map", "setgroups", "coredump_filter"):
        attempt(name, lambda: write("/proc/self/" + name, "0"))
    return x


def planted_link(x):
    for folder in ("/tmp", *WORLD["folders"]):
        attempt("a link", lambda: os.symlink("/etc/passwd", f"{folder}/written-by-a-guest"))
    return x


def device_node(x):
    attempt("a device", lambda: os.mknod("/tmp/null", 0o20666, os.makedev(1, 3)))
    attempt("a named pipe", lambda: os.mkfifo("/tmp/pipe"))
    return x
