"""The matrix that the question about penalised scores asks for, and those that its wrong answers are."""

import numpy as np


def scores_with_penalty(g, a, b):
    scores = np.array([[2, 0, 1], [a, 1, 3], [3, b, 2]], dtype=float)
    slope, places = 0.5**g, np.arange(3)
    distance = places[:, None] - places
    mask = np.where(distance < 0, -np.inf, 0.0)
    return scores - slope * distance + mask, {
        "m15-alibi-scales": scores * slope + mask,
        "slip-swap": scores + slope * distance + mask,
        "slip-partial": scores - slope * (distance > 0) + mask,
        "m07-only-generation": scores - slope * distance,
    }


DEFINED = {"rotary-and-relative-positions/scores-with-penalty": scores_with_penalty}
