"""The matrices that the questions about attention ask for, and those that their wrong answers are."""

import numpy as np

from tests.content.reading import softmax


def weights_of_two_queries(a, b):
    scores = np.array([[a, 0, 4], [2, b, 6]], dtype=float)
    return softmax(scores / np.sqrt(16)), {
        "m03-no-scale": softmax(scores),
        "m03-divide-by-dk": softmax(scores / 16),
        "m03-softmax-columns": softmax(scores / 4, axis=0),
        "m03-scale-after": softmax(scores) / 4,
        "m03-scale-by-length": softmax(scores / np.sqrt(scores.shape[1])),
    }


def mix_two_outputs(a, b):
    weights, values = np.array([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7]]), np.array([[a, 0], [0, b], [4, 2]], dtype=float)
    leading = weights.argmax(axis=1)
    return weights @ values, {
        "m03-ignores-scores": np.stack([values.mean(axis=0)] * 2),
        "m01-hard-pick": values[leading],
        "slip-partial": weights.max(axis=1, keepdims=True) * values[leading],
        "slip-transpose": (weights @ values).T,
    }


DEFINED = {
    "scaled-dot-product-attention/weights-of-two-queries": weights_of_two_queries,
    "scaled-dot-product-attention/mix-two-outputs": mix_two_outputs,
}
