# outcome: right
# why: each row is the one before, turned pair by pair; nothing but the first turn calls a sine
import numpy as np


def sinusoidal_positions(T, d, base=10000):
    angles = [base ** (-2 * i / d) for i in range(d // 2)]
    sines, cosines = np.sin(angles), np.cos(angles)
    rows = [np.tile([0.0, 1.0], d // 2)]
    while len(rows) < T:
        s, c = rows[-1][0::2], rows[-1][1::2]
        rows.append(np.dstack([s * cosines + c * sines, c * cosines - s * sines]).ravel())
    return np.vstack(rows)
