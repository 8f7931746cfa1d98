"""Writes wherever it can: files, folders, links, modes, the libraries of the next guest, the kernel's settings."""

# Hostile code asks the system in its own words.
# ruff: noqa: PTH101, PTH102, PTH108, PTH109, PTH118, PTH120, PTH123, PTH211

import os
import sys

import numpy as np

FOLDERS = []  # the test puts real folders of the machine here
NAME = "written-by-a-guest"


def attempt(what, action):
    try:
        action()
    except OSError as error:
        print(what, error.strerror)
    else:
        print("WROTE", what)


def write(path):
    with open(path, "w") as file:
        file.write("escaped")


def attention(Q, K, V):
    places = [*FOLDERS, "/", "/tmp", "/dev", "/dev/shm", "/usr", "/usr/lib", "/sandbox", os.getcwd()]
    places += [os.path.dirname(np.__file__), *filter(os.path.isdir, sys.path)]
    for place in places:
        path = os.path.join(place, NAME)
        attempt(path, lambda path=path: write(path))
        attempt("folder " + path, lambda path=path: os.mkdir(path + "-folder"))
        attempt("link " + path, lambda path=path: os.symlink("/etc/passwd", path + "-link"))
    attempt("mode of /dev/null", lambda: os.chmod("/dev/null", 0o600))
    attempt("library", lambda: write(np.__file__))
    attempt("own program", lambda: write("/sandbox/guest.py"))
    attempt("kernel setting", lambda: write("/proc/sys/kernel/hostname"))
    attempt("own memory score", lambda: write("/proc/self/oom_score_adj"))
    attempt("removal of a library", lambda: os.unlink(np.__file__))
    return np.zeros(Q.shape)
