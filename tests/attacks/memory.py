"""Takes memory until the machine has none left: ordinary, shared and anonymous-file memory."""

# Hostile code asks the system in its own words.
# ruff: noqa: PTH123

import ctypes
import mmap
import os

CHUNK = 32 << 20
kept = []


def ordinary():
    kept.append(bytearray(CHUNK))


def shared():
    kept.append(mmap.mmap(-1, CHUNK))
    kept[-1].write(b"x" * CHUNK)


def anonymous_file():
    kept.append(os.memfd_create("hoard"))
    os.write(kept[-1], b"x" * CHUNK)


def file_in_memory():
    with open(f"/dev/shm/{len(kept)}", "wb") as file:
        file.write(b"x" * CHUNK)
    kept.append(file.name)


def system_v():
    identity = ctypes.CDLL(None).shmget(0, ctypes.c_size_t(CHUNK), 0o1600)
    if identity < 0:
        raise OSError("shmget")
    kept.append(identity)


def attention(Q, K, V):
    taken = {}
    for way in (anonymous_file, file_in_memory, system_v, shared, ordinary):
        try:
            for _ in range(200):
                way()
                taken[way.__name__] = taken.get(way.__name__, 0) + CHUNK
        except (MemoryError, OSError):
            continue
    print("taken MB", sum(taken.values()) >> 20, taken)
    bytearray(CHUNK)
    return Q
