"""Correct programs for `transformer_block`, in styles that learners use. The first one is the reference.

They are written with NumPy in float64: the judge compares what a learner's tensors hold and never loads PyTorch itself.

Shapes:  x float64[..., tokens, width]; params as the brief says; result float64[..., tokens, width]
Limits:  stable for any finite score, since the largest allowed score of each row is subtracted first
Source:  Xiong et al. 2020, "On layer normalization in the Transformer architecture", figure 1 (b); Hendrycks & Gimpel
         2016, "Gaussian error linear units"
"""

import math

import numpy as np

EPS = 1e-5
distribution = np.vectorize(lambda number: 0.5 * (1.0 + math.erf(number / math.sqrt(2.0))), otypes=[float])


def by_steps(x, params, causal=True):
    y = x + _attention(_norm(x, params["g1"], params["b1"]), params, causal)
    inner = _norm(y, params["g2"], params["b2"]) @ params["W1"] + params["c1"]
    return y + inner * distribution(inner) @ params["W2"] + params["c2"]


def by_einsum(x, params, causal=True):
    heads = params["heads"]
    normed = _norm(x, params["g1"], params["b1"])
    Q, K, V = (
        np.einsum("...td,dhk->...htk", normed, params[name].reshape(len(params[name]), heads, -1))
        for name in ("Wq", "Wk", "Wv")
    )
    scores = np.einsum("...hik,...hjk->...hij", Q, K) / np.sqrt(Q.shape[-1])
    if causal:
        scores = scores + np.where(np.tri(x.shape[-2], dtype=bool), 0.0, -np.inf)
    mixed = np.einsum("...hij,...hjk->...hik", _softmax(scores), V)
    width = x.shape[-1]
    y = x + np.einsum("...htk,hkd->...td", mixed, params["Wo"].reshape(heads, width // heads, width))
    inner = np.einsum("...td,di->...ti", _norm(y, params["g2"], params["b2"]), params["W1"]) + params["c1"]
    return y + np.einsum("...ti,id->...td", inner * distribution(inner), params["W2"]) + params["c2"]


def by_heads_in_turn(x, params, causal=True):
    """Each head adds its own share to the stream, by its own rows of Wo."""
    size = x.shape[-1] // params["heads"]
    normed = _norm(x, params["g1"], params["b1"])
    y = x
    for head in range(params["heads"]):
        columns = slice(head * size, (head + 1) * size)
        Q, K, V = (normed @ params[name][:, columns] for name in ("Wq", "Wk", "Wv"))
        scores = Q @ np.swapaxes(K, -1, -2) * size**-0.5
        if causal:
            scores = np.where(np.tri(x.shape[-2], dtype=bool), scores, -np.inf)
        y = y + _softmax(scores) @ V @ params["Wo"][columns]
    inner = _norm(y, params["g2"], params["b2"]) @ params["W1"] + params["c1"]
    return y + (inner * distribution(inner)) @ params["W2"] + params["c2"]


def _attention(z, params, causal):
    def heads(name):
        return np.swapaxes((z @ params[name]).reshape(*z.shape[:-1], params["heads"], -1), -2, -3)

    Q, K, V = heads("Wq"), heads("Wk"), heads("Wv")
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if causal:
        scores = np.where(np.tri(z.shape[-2], dtype=bool), scores, -np.inf)
    return np.swapaxes(_softmax(scores) @ V, -2, -3).reshape(z.shape) @ params["Wo"]


def _norm(z, gain, shift):
    centred = z - z.mean(axis=-1, keepdims=True)
    return gain * centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPS) + shift


def _softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


STYLES = {"steps": by_steps, "einsum": by_einsum, "heads in turn": by_heads_in_turn}
