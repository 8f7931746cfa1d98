"""Correct programs for `multi_head_attention`, in styles that learners use. The first one is the reference.

Shapes:  x float64[..., tokens, width]; Wq, Wk, Wv, Wo float64[width, width]; heads divides width;
         result float64[..., tokens, width]
Limits:  stable for any finite score; the largest score of each row is subtracted first
Source:  Vaswani et al. 2017, "Attention is all you need", section 3.2.2
"""

import numpy as np


def by_axes(x, Wq, Wk, Wv, Wo, heads):
    def split(y):
        return np.swapaxes(y.reshape(*y.shape[:-1], heads, -1), -2, -3)

    q, k, v = split(x @ Wq), split(x @ Wk), split(x @ Wv)
    mixed = _softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])) @ v
    return np.swapaxes(mixed, -2, -3).reshape(x.shape) @ Wo


def by_einsum(x, Wq, Wk, Wv, Wo, heads):
    """Each map is cut into one for each head, and nothing is ever put side by side."""
    width = x.shape[-1] // heads
    q, k, v = (np.einsum("...ti,ihw->...htw", x, W.reshape(-1, heads, width)) for W in (Wq, Wk, Wv))
    weights = _softmax(np.einsum("...htw,...hsw->...hts", q, k) * width**-0.5)
    return np.einsum("...hts,...hsw,hwo->...to", weights, v, Wo.reshape(heads, width, -1))


def by_head(x, Wq, Wk, Wv, Wo, heads):
    """One head after the other; each adds its own part of the result."""
    width = x.shape[-1] // heads
    result = np.zeros(x.shape)
    for first in range(0, heads * width, width):
        columns = slice(first, first + width)
        q, k, v = x @ Wq[:, columns], x @ Wk[:, columns], x @ Wv[:, columns]
        result += _softmax(q @ np.swapaxes(k, -1, -2) / width**0.5) @ v @ Wo[columns]
    return result


def by_token(x, Wq, Wk, Wv, Wo, heads):
    """Loops over texts, heads and queries, as a textbook writes it."""
    width = x.shape[-1] // heads
    result = np.zeros(x.shape)
    for place in np.ndindex(*x.shape[:-2]):
        Q, K, V = x[place] @ Wq, x[place] @ Wk, x[place] @ Wv
        for token, query in enumerate(Q):
            found = []
            for head in range(heads):
                columns = slice(head * width, (head + 1) * width)
                scores = np.array([query[columns] @ key[columns] for key in K]) / np.sqrt(width)
                found.append(_softmax(scores) @ V[:, columns])
            result[(*place, token)] = np.concatenate(found) @ Wo
    return result


def _softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


STYLES = {"axes": by_axes, "einsum": by_einsum, "heads one by one": by_head, "tokens one by one": by_token}
