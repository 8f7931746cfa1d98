"""The matrices that the questions about the step from recurrence to attention ask for, and their wrong answers."""

import numpy as np

from tests.content.reading import softmax


def two_target_words(a, b):
    scores = np.array([[a, 0.5, 3], [2.5, b, 1]], dtype=float)
    return softmax(scores), {
        "m01-sum-over-targets": softmax(scores, axis=0),
        "m01-context-fixed": softmax(scores[[0, 0]]),
        "slip-arith": scores / scores.sum(axis=1, keepdims=True),
    }


DEFINED = {"recurrence-to-attention/two-target-words": two_target_words}
