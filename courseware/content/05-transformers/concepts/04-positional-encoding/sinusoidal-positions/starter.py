import numpy as np


def sinusoidal_positions(T, d, base=10000):
    """Return one row for each position: sines and cosines of many wave lengths."""
    raise NotImplementedError("write sinusoidal_positions here")
