"""The matrices that the questions about embeddings ask for, and those that their wrong answers are."""

import numpy as np


def rows_of_two_ids(a, b):
    table = np.array([[1, 0, b, 3], [a, 2, 0, 1], [0, b, 1, -2]], dtype=float)
    fetched, factor = table[[2, 1]], np.sqrt(table.shape[1])
    return factor * fetched, {
        "slip-partial": fetched,
        "m02-scale-confusion": fetched / factor,
        "slip-off-by-one": factor * table[[1, 0]],
        "m02-embedding-has-context": factor * np.stack([fetched.mean(axis=0)] * 2),
    }


DEFINED = {"tokens-and-embeddings/rows-of-two-ids": rows_of_two_ids}
