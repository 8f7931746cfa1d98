# outcome: right
# why: powers of a complex number, whose imaginary and real parts are seen through a view
import numpy as np


def sinusoidal_positions(T, d, base=10000):
    turn = np.exp(1j * base ** (-np.arange(0, d, 2) / d))
    table = np.exp(np.outer(np.arange(T), np.log(turn)))
    swapped = table.imag + 1j * table.real
    return swapped.view(np.float64)
