"""Fill what can be written to: bytes, names, and folders that others use."""


def fill_scratch(x):
    try:
        for number in range(40):
            with open(f"/tmp/{number}", "wb") as file:
                file.write(bytes(2 * MEBIBYTE))
    except OSError as error:
        print("no more", error)
    return x


def unlinked_files(x):
    try:
        for number in range(40):
            file = open(f"/tmp/{number}", "wb", buffering=0)
            os.unlink(file.name)
            kept.append(file)
            file.write(bytes(2 * MEBIBYTE))
    except OSError as error:
        print("no more", error)
    return x


def one_huge_file(x):
    with open("/tmp/huge", "wb", buffering=0) as file:
        try:
            for _ in range(24):
                file.write(bytes(2 * MEBIBYTE))
        except OSError as error:
            print("no more", error)
    return x


def sparse_file(x):
    with open("/tmp/sparse", "wb") as file:
        attempt("a sparse file", lambda: os.ftruncate(file.fileno(), 1 << 40))
    return x


def inode_flood(x):
    try:
        for number in range(1000):
            os.mkdir(f"/tmp/{number}")
    except OSError as error:
        print("no more", error)
    return x


def deep_folders(x):
    try:
        for _ in range(1000):
            os.mkdir("d")
            os.chdir("d")
    except OSError as error:
        print("no more", error)
    return x


def names_in_shared_memory(x):
    for number in range(300):
        try:
            os.mkdir(f"/dev/shm/{number}")
        except OSError:
            break
        print("GOT a folder in /dev/shm")
    return x


def core_file(x):
    import faulthandler
    import resource

    print("no core" if resource.getrlimit(resource.RLIMIT_CORE) == (0, 0) else "GOT a core file")
    faulthandler.disable()
    return ctypes.string_at(0)
