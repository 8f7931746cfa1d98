# outcome: right
# why: np.apply_along_axis with a function of one line, whose exponentials are of base two
import numpy as np


def line(x):
    powers = np.exp2((x - np.max(x[np.isfinite(x)])) * np.log2(np.e))
    return powers / np.sum(powers)


def softmax(x, axis=-1):
    return np.apply_along_axis(line, axis, x)
