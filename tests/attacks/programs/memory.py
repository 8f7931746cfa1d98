"""Take memory beyond the limit: ordinary memory, and kinds that no limit of a process counts."""

CHUNK = 16 * MEBIBYTE
WANTED = 24  # chunks: three times the limit that the test sets


def hoard(take_one):
    try:
        for _ in range(WANTED):
            kept.append(take_one())
    except (OSError, MemoryError, ValueError) as error:
        print("no more", type(error).__name__, error)


def ordinary_memory(x):
    hoard(lambda: bytearray(CHUNK))
    return x


def one_huge_array(x):
    hoard(lambda: np.ones(WANTED * CHUNK // 8))
    return x


def shared_mapping(x):
    import mmap

    def mapping():
        mapped = mmap.mmap(-1, CHUNK)
        mapped.write(bytes([1]) * CHUNK)
        return mapped

    hoard(mapping)
    return x


def many_stacks(x):
    threading.stack_size(64 * MEBIBYTE)

    def fill():
        memory = (ctypes.c_char * (48 * MEBIBYTE))()
        ctypes.memset(memory, 1, len(memory))
        kept.append(memory)
        time.sleep(0.3)

    for _ in range(12):
        try:
            threading.Thread(target=fill, daemon=True).start()
        except RuntimeError:
            break
    time.sleep(0.2)
    return x


def anonymous_files(x):
    def anonymous():
        file = os.memfd_create("hoard")
        os.write(file, bytes([1]) * (CHUNK - 4096))
        print("GOT an anonymous file")
        return file

    hoard(anonymous)
    return x


def files_in_shared_memory(x):
    def file():
        opened = open(f"/dev/shm/{len(kept)}", "wb")
        opened.write(bytes([1]) * (CHUNK - 4096))
        opened.flush()
        print("GOT a file in /dev/shm")
        return opened

    hoard(file)
    return x


def system_v_segments(x):
    libc.shmat.restype = ctypes.c_void_p

    def segment():
        identity = system_call("shmget", 0, CHUNK, 0o1600)
        print("GOT a segment")
        address = libc.shmat(identity, None, 0)
        ctypes.memset(address, 1, CHUNK)
        libc.shmdt(ctypes.c_void_p(address))
        return identity

    hoard(segment)
    return x


def message_queues(x):
    hoard(lambda: print("GOT a queue", system_call("msgget", 0, 0o1600)))
    return x


def locked_memory(x):
    memory = ctypes.create_string_buffer(8192)
    attempt("memory that is never swapped", lambda: system_call("mlock", ctypes.addressof(memory), len(memory)))
    return x


def stuffed_pipes(x):
    def pipe():
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        os.write(writing, bytes(1 << 16))
        return reading, writing

    for _ in range(100):
        try:
            kept.append(pipe())
        except OSError:
            break
    return x
