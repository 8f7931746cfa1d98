"""Correct programs for `SelfAttention`, in styles that learners use. The first one is the reference.

They are functions written with NumPy in float64: the judge compares what a learner's layer returns and never loads
PyTorch itself. Which parameters a layer has and which get gradients are facts, 1 for yes, so all styles share them.

Shapes:  x float64[..., tokens, width]; weights as nn.Linear keeps them, float64[inner, width] and for the output
         float64[width, inner]; keep None or bool[..., tokens]; result float64[..., tokens, width]
Limits:  in training mode dropout is so near to 1 that every weight is dropped; stable for any finite score
Source:  Vaswani et al. 2017, "Attention is all you need", sections 3.2 and 5.4
"""

import numpy as np


def _about_a_layer(attend):
    """Return what answers every part of a call, given what computes the mixed values."""

    def answered(x, Wq, bq, Wk, bk, Wv, bv, Wo, bo, keep=None, dropout=0.0, mode="evaluation", part="output"):
        if part == "parameters":
            return np.array([1.0] * 8 + [0.0])
        if part == "gradients":
            return np.ones(8)
        if part == "drops":
            return np.ones(2)
        if mode == "training" and dropout:
            return np.zeros(x.shape) + bo
        return attend(x, (Wq, bq), (Wk, bk), (Wv, bv), keep) @ Wo.T + bo

    return answered


def _linear(x, map):
    return x @ map[0].T + map[1]


@_about_a_layer
def by_products(x, query, key, value, keep):
    q, k, v = _linear(x, query), _linear(x, key), _linear(x, value)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if keep is not None:
        scores = np.where(keep[..., np.newaxis, :], scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


@_about_a_layer
def by_einsum(x, query, key, value, keep):
    q, k, v = (np.einsum("...ti,oi->...to", x, weight) + bias for weight, bias in (query, key, value))
    scores = np.einsum("...qm,...km->...qk", q, k) * q.shape[-1] ** -0.5
    if keep is not None:
        scores = scores + np.where(keep, 0.0, -np.inf)[..., None, :]
    exponentials = np.exp(scores - scores.max(axis=-1)[..., None])
    return np.einsum("...qk,...km->...qm", exponentials, v) / exponentials.sum(axis=-1)[..., None]


@_about_a_layer
def by_loops(x, query, key, value, keep):
    """Each query meets only the keys that it may use, so nothing is ever hidden."""
    result = np.zeros((*x.shape[:-1], len(query[0])))
    for place in np.ndindex(*x.shape[:-1]):
        text = x[place[:-1]] if keep is None else x[place[:-1]][keep[place[:-1]]]
        scores = _linear(text, key) @ _linear(x[place], query) / len(query[0]) ** 0.5
        exponentials = np.exp(scores - scores.max())
        result[place] = exponentials / exponentials.sum() @ _linear(text, value)
    return result


STYLES = {"products": by_products, "einsum": by_einsum, "loops": by_loops}
