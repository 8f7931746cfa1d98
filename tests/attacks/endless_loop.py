"""Never answers: signals ignored, and half of the time inside C code that does not look for signals."""

import signal


def attention(Q, K, V):
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            continue
    while True:
        pow(3, 10**6)
