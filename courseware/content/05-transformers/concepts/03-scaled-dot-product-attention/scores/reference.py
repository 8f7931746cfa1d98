"""Correct programs for `scores`, in styles that learners use. The first one is the reference.

Shapes:  Q float64[..., queries, width]; K float64[..., keys, width]; result float64[..., queries, keys]
Source:  Vaswani et al. 2017, "Attention is all you need", section 3.2.1
"""

import numpy as np


def by_product(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])


def by_einsum(Q, K):
    return np.einsum("...qd,...kd->...qk", Q * Q.shape[-1] ** -0.5, K)


def by_broadcasting(Q, K):
    return (Q[..., :, np.newaxis, :] * K[..., np.newaxis, :, :]).sum(axis=-1) / Q.shape[-1] ** 0.5


def by_loops(Q, K):
    result = np.empty((*Q.shape[:-1], K.shape[-2]))
    for place in np.ndindex(*Q.shape[:-2]):
        for row, query in enumerate(Q[place]):
            for column, key in enumerate(K[place]):
                result[(*place, row, column)] = sum(q * k for q, k in zip(query, key, strict=True)) / len(query) ** 0.5
    return result


def by_shared_root(Q, K):
    """Both sides are divided by the fourth root of the width, as programs for half precision do it."""
    root = Q.shape[-1] ** 0.25
    return np.matmul(Q / root, np.moveaxis(K / root, -1, -2))


STYLES = {
    "product": by_product,
    "einsum": by_einsum,
    "broadcasting": by_broadcasting,
    "loops": by_loops,
    "shared root": by_shared_root,
}
