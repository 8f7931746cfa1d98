"""What every attack begins with: it is put before the programs of a class when they are sent.

A program prints GOT for what it obtained and must not have. It is ours, so its word about itself may be taken; what
it did to anyone else is looked for from outside as well.
"""

import ctypes
import errno
import os
import struct
import sys
import threading
import time

import numpy as np

WORLD = {}  # what an attacker might have learnt of the machine: ports, folders, numbers of system calls
MEBIBYTE = 1 << 20
libc = ctypes.CDLL(None, use_errno=True)
kept = []


def attempt(what, action):
    """Try something and say whether it succeeded."""
    try:
        got = action()
    except (OSError, MemoryError, RuntimeError, ValueError, ImportError) as error:
        print("no", what, type(error).__name__, error)
        return
    print("GOT", what, got)


def system_call(name, *arguments):
    """Make a system call in its own words; OSError if it is refused."""
    given = [argument if isinstance(argument, bytes | ctypes.Array) else ctypes.c_long(argument) for argument in arguments]
    result = libc.syscall(ctypes.c_long(WORLD["calls"][name]), *given)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def reach(name, *arguments):
    """Make a system call, and count it as obtained whenever the kernel looked at its arguments at all."""
    if name not in WORLD["calls"]:
        return
    try:
        system_call(name, *arguments)
    except OSError as error:
        if error.errno in (errno.EPERM, errno.ENOSYS):
            print("no", name)
            return
    print("GOT", name)


def show(path):
    """Print what a file or folder holds, whoever's it is."""
    if os.path.isdir(path):
        attempt(path, lambda: os.listdir(path))
    else:
        attempt(path, lambda: open(path, "rb").read(100_000))


def in_child(action):
    """Fork, do something in the child, and let that end; a child that came to life keeps to itself."""
    child = os.fork()
    if child == 0:
        try:
            action()
        finally:
            os._exit(0)
    return child


def honest(x):
    """What an attacker answers when it is asked for the second time."""
    return x * 2
