"""Correct programs for `cross_attention`, in styles that learners use. The first one is the reference.

Shapes:  x_q float64[..., queries, width]; x_kv float64[..., keys, width]; Wq, Wk, Wv, Wo float64[width, width];
         heads divides width; kv_keep None or bool[..., keys]; result float64[..., queries, width]
Limits:  stable for any finite score; the largest allowed score of each row is subtracted first
Source:  Vaswani et al. 2017, "Attention is all you need", section 3.2.3
"""

import numpy as np


def by_axes(x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep=None):
    def split(y):
        return np.swapaxes(y.reshape(*y.shape[:-1], heads, -1), -2, -3)

    q, k, v = split(x_q @ Wq), split(x_kv @ Wk), split(x_kv @ Wv)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if kv_keep is not None:
        scores = np.where(kv_keep[..., np.newaxis, np.newaxis, :], scores, -np.inf)
    return np.swapaxes(_softmax(scores) @ v, -2, -3).reshape(x_q.shape) @ Wo


def by_einsum(x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep=None):
    """Each map is cut into one for each head, and the mask is added."""
    width = x_q.shape[-1] // heads
    q, k, v = (
        np.einsum("...ti,ihw->...thw", x, W.reshape(-1, heads, width)) for x, W in ((x_q, Wq), (x_kv, Wk), (x_kv, Wv))
    )
    scores = np.einsum("...thw,...shw->...hts", q, k) * width**-0.5
    if kv_keep is not None:
        scores += np.where(kv_keep, 0.0, -np.inf)[..., None, None, :]
    return np.einsum("...hts,...shw,hwo->...to", _softmax(scores), v, Wo.reshape(heads, width, -1))


def by_head(x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep=None):
    """One text and one head after the other; rows that may not be used are left out."""
    width = x_q.shape[-1] // heads
    result = np.zeros(x_q.shape)
    for place in np.ndindex(*x_q.shape[:-2]):
        source = x_kv[place] if kv_keep is None else x_kv[place][kv_keep[place]]
        for first in range(0, heads * width, width):
            columns = slice(first, first + width)
            q, k, v = x_q[place] @ Wq[:, columns], source @ Wk[:, columns], source @ Wv[:, columns]
            result[place] += _softmax(q @ k.T / width**0.5) @ v @ Wo[columns]
    return result


def _softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


STYLES = {"axes": by_axes, "einsum": by_einsum, "heads one by one": by_head}
