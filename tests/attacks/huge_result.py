"""Returns more than anyone could hold: announced in a forged frame, or as a view that claims petabytes."""

import os
import struct

import numpy as np

WAY = "view"  # the test tries each of "view", "copy" and "frame"


def attention(Q, K, V):
    if WAY == "view":
        return np.broadcast_to(np.float64(0), (10**15,))
    if WAY == "copy":
        return np.zeros(40 << 20, np.uint8)
    os.write(4, struct.pack("<4sBBHIQ", b"CWm1", 19, 1, 0, 2, 0) + b"{}")
    os.write(4, struct.pack("<4sBBBBQ8Q", b"CWa1", 5, 1, 0, 0, 1 << 50, 1 << 50, *[0] * 7))
    while True:
        os.write(4, bytes(1 << 16))
