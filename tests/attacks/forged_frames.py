"""Writes replies itself, on every open file: for the call at hand and, in advance, for all that may come.

It even finds the token of the current call in the frames below it. That forges nothing but its own claim about its own
output; the answers in advance are what must not be believed.
"""

import os
import struct
import sys

import numpy as np


def reply(token, values):
    note = b'{"tuple": false, "forms": ["ndarray"], "changed": []}'
    head = struct.pack("<4sBBHIQ", b"CWm1", 19, 1, 0, len(note), token)
    array = struct.pack("<4sBBBBQ8Q", b"CWa1", 12, 1, 0, 0, 8 * len(values), len(values), *[0] * 7)
    return head + note + array + struct.pack(f"<{len(values)}d", *values)


def current_token():
    frame = sys._getframe()
    while frame is not None:
        if "token" in frame.f_locals:
            return frame.f_locals["token"]
        frame = frame.f_back
    return 0


def write_everywhere(data):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, data)
        except OSError:
            continue


def attention(Q, K, V):
    token = current_token()
    for guess in (token, token, token + 1, 0):
        write_everywhere(reply(guess, [42.0]))
    return np.zeros(Q.shape)
