# outcome: right
# why: halves the keys again and again, and joins the two answers by their shares of the whole
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Part(NamedTuple):
    mean: NDArray[np.float64]
    log: NDArray[np.float64]


def part(Q: NDArray[np.float64], K: NDArray[np.float64], V: NDArray[np.float64], /) -> Part:
    if (n := K.shape[-2]) == 1:
        one = np.matmul(Q, np.moveaxis(K, -1, -2)) / Q.shape[-1] ** 0.5
        return Part(np.broadcast_to(V, (*Q.shape[:-1], V.shape[-1])), one)
    left, right = part(Q, K[..., : n // 2, :], V[..., : n // 2, :]), part(Q, K[..., n // 2 :, :], V[..., n // 2 :, :])
    both = np.logaddexp(left.log, right.log)
    return Part(left.mean * np.exp(left.log - both) + right.mean * np.exp(right.log - both), both)


def attention(Q: NDArray[np.float64], K: NDArray[np.float64], V: NDArray[np.float64], /) -> NDArray[np.float64]:
    return part(Q, K, V).mean
