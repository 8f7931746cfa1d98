"""Make whoever keeps output or results hold too much."""


def endless_print(x):
    while True:
        print("spam " * 1000)


def endless_raw_writes(x):
    while True:
        os.write(2, b"spam " * 10_000)


def prints_after_its_reply(x):
    threading.Thread(target=endless_print, args=(x,), daemon=True).start()
    return x


def result_of_petabytes(x):
    return np.broadcast_to(np.float64(0), (10**15,))


def result_of_megabytes(x):
    return np.zeros(40 << 20, np.uint8)


def result_of_many_parts(x):
    return (x,) * 100


def result_announced_huge(x):
    os.write(4, struct.pack("<4sBBHIQ", b"CWm1", 19, 1, 0, 2, 0) + b"{}")
    os.write(4, struct.pack("<4sBBBBQ8Q", b"CWa1", 5, 1, 0, 0, 1 << 50, 1 << 50, *[0] * 7))
    while True:
        os.write(4, bytes(1 << 16))


def changed_inputs_and_results(x):
    x[:] = 1
    return tuple(np.zeros(3 << 20, np.uint8) for _ in range(6))


def huge_exception(x):
    raise ValueError("x" * (50 << 20))


def huge_type_name(x):
    raise type("E" * (10 << 20), (Exception,), {})("!")
