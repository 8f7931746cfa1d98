"""The matrices that the questions about cross-attention ask for, and those that their wrong answers are."""

import numpy as np

from tests.content.reading import softmax


def padded_source(p, a):
    scores = np.array([[a, 0, 1.5], [0.5, 2.5, a]], dtype=float)
    padding = np.zeros((2, 3), bool)
    padding[:, p - 1] = True
    later = np.triu(np.ones((2, 3), bool), k=1)
    return softmax(np.where(padding, -np.inf, scores)), {
        "m08-masked-source": np.nan_to_num(softmax(np.where(padding | later, -np.inf, scores))),
        "slip-partial": softmax(scores),
        "m07-after-softmax": softmax(scores) * ~padding,
        "m07-zero-score": softmax(scores * ~padding),
    }


def scores_across_two_texts(a, b):
    states, memory = np.array([[1, 0], [0, 1], [1, 2]]), np.array([[2, 1], [0, b], [1, 1]])
    to_query, to_key = np.array([[1, a], [0, 1]]), np.array([[1, 0], [2, 1]])
    key = (states @ to_query) @ (memory @ to_key).T
    return key, {
        "m08-q-from-encoder": (memory @ to_query) @ (states @ to_key).T,
        "m08-memory-unused": (states @ to_query) @ (states @ to_key).T,
        "slip-partial": (states @ to_query) @ memory.T,
        "slip-transpose": key.T,
    }


DEFINED = {
    "cross-attention/padded-source": padded_source,
    "cross-attention/scores-across-two-texts": scores_across_two_texts,
}
