"""Reads what it should not see: the server's code and data, accounts, homes, devices."""

# Hostile code asks the system in its own words.
# ruff: noqa: PTH112, PTH123, PTH208

import os

import numpy as np

PATHS = []  # the test puts the paths of real files here


def attention(Q, K, V):
    for path in PATHS:
        for way in (
            path,
            f"/proc/1/root{path}",
            f"/proc/self/cwd/../../../..{path}",
            f"/sandbox/site-packages/../..{path}",
        ):
            try:
                if os.path.isdir(way):
                    print("READ", way, os.listdir(way))
                with open(way, "rb") as file:
                    print("READ", way, file.read(200))
            except OSError as error:
                print(way, error.strerror)
    print("root", sorted(os.listdir("/")), "usr", sorted(os.listdir("/usr")))
    return np.zeros(Q.shape)
