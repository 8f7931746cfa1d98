"""The matrices that the questions about the causal mask ask for, and those that their wrong answers are."""

import numpy as np

from tests.content.reading import softmax


def weights_under_the_mask(a, b):
    scores = np.array([[2, a, 0], [0, b, 3], [a, 1, 0]], dtype=float)
    allowed = np.tri(3, dtype=bool)
    return softmax(np.where(allowed, scores, -np.inf)), {
        "m07-only-generation": softmax(scores),
        "m07-after-softmax": softmax(scores) * allowed,
        "m07-zero-score": softmax(scores * allowed),
        "m07-transposed": softmax(np.where(allowed.T, scores, -np.inf)),
        "m07-blocks-diagonal": np.nan_to_num(softmax(np.where(np.tri(3, k=-1, dtype=bool), scores, -np.inf))),
        "m07-leaks-next": softmax(np.where(np.tri(3, k=1, dtype=bool), scores, -np.inf)),
        "m07-adds-the-mask": softmax(scores + allowed),
        "m03-softmax-columns": softmax(np.where(allowed, scores, -np.inf), axis=0),
    }


def two_masks_in_one(p):
    later, filler = np.triu(np.ones((4, 4), bool), k=1), np.zeros((4, 4), bool)
    filler[:, p - 1] = True

    def mask(blocked):
        return np.where(blocked, -np.inf, 0.0)

    return mask(later | filler), {
        "m07-same-as-padding": mask(filler),
        "slip-partial": mask(later),
        "m07-transposed": mask(later.T | filler),
        "slip-transpose": mask(later | filler.T),
    }


DEFINED = {
    "causal-mask/weights-under-the-mask": weights_under_the_mask,
    "causal-mask/two-masks-in-one": two_masks_in_one,
}
