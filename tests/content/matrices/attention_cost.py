"""The matrices that the questions about the cost of attention ask for, and those that their wrong answers are."""

import numpy as np


def factors_of_growth(p, q):
    def work(n, d):
        return np.array([8 * n * d * d, 4 * n * n * d, 16 * n * d * d])

    length, width = work(p * 6, 10) / work(6, 10), work(6, q * 10) / work(6, 10)
    return np.stack([length, width], axis=1), {
        "m09-double-means-double": np.stack([[p, p, p], width], axis=1),
        "m09-all-quadratic": np.stack([[p * p] * 3, width], axis=1),
        "slip-swap": np.array([[p**2, q], [p, q**2], [p**2, q]]),
    }


DEFINED = {"attention-cost/factors-of-growth": factors_of_growth}
