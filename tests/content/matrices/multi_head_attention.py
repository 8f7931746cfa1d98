"""The matrices that the questions about several heads ask for, and those that their wrong answers are."""

import numpy as np

from tests.content.reading import softmax


def two_contributions(a, b):
    first, second = np.array([[1, 0], [a, 1]]), np.array([[0, 2], [1, b]])
    output = np.array([[1, 1], [0, 1], [2, 0], [1, 1]])
    return np.hstack([first, second]) @ output, {
        "m06-averaged": (first + second) / 2,
        "slip-partial": first @ output[:2],
        "slip-swap": np.hstack([second, first]) @ output,
    }


def weights_of_head_two(a, b):
    queries, keys = np.array([[1, 0, a, 0], [0, 1, 0, 2]]), np.array([[0, 1, 1, b], [1, 0, 0, 1]])
    of_heads = [queries[:, cut] @ keys[:, cut].T for cut in (slice(0, 2), slice(2, 4))]
    return softmax(of_heads[1] / np.sqrt(2)), {
        "slip-scope": softmax(of_heads[0] / np.sqrt(2)),
        "m06-one-wide-head": softmax(sum(of_heads) / np.sqrt(4)),
        "m06-scale-dmodel": softmax(of_heads[1] / np.sqrt(4)),
        "m03-no-scale": softmax(of_heads[1]),
        "m03-softmax-columns": softmax(of_heads[1] / np.sqrt(2), axis=0),
    }


DEFINED = {
    "multi-head-attention/two-contributions": two_contributions,
    "multi-head-attention/weights-of-head-two": weights_of_head_two,
}
