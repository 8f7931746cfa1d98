"""Calls out: to the machine's loopback, to an abstract socket, to a name server, and listens itself."""

# Hostile code asks the system in its own words.
# ruff: noqa: PTH110, PTH208

import ctypes
import os
import socket

import numpy as np

PORT = 0  # the test puts the port of its listener here
NAME = ""  # and the name of its abstract socket here

print("interfaces", os.listdir("/sys/class/net") if os.path.exists("/sys/class/net") else None)


def attempt(what, action):
    try:
        action()
    except OSError as error:
        print(what, "refused", error)
    else:
        print(what, "REACHED")


def by_raw_call():
    if ctypes.CDLL(None, use_errno=True).socket(2, 1, 0) < 0:
        raise OSError(ctypes.get_errno(), "socket")


def attention(Q, K, V):
    attempt("loopback", lambda: socket.create_connection(("127.0.0.1", PORT), 1).send(b"secret"))
    attempt("abstract", lambda: socket.socket(socket.AF_UNIX).connect("\0" + NAME))
    attempt("datagram", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"secret", ("127.0.0.1", PORT)))
    attempt("listening", lambda: socket.create_server(("127.0.0.1", 0)))
    attempt("raw call", by_raw_call)
    return np.zeros(Q.shape)
