"""Correct programs for `decode_step`, in styles that learners use. The first one is the reference.

They are written with NumPy in float64: the judge compares what a learner's tensors hold and never loads PyTorch itself.

Shapes:  x float64[..., new, width]; Wq, Wk, Wv float64[width, width]; cache None or K, V float64[..., past, width];
         result float64[..., new, width] and the new cache
Limits:  the width is even; the largest allowed score of each row is subtracted first
Source:  Vaswani et al. 2017, section 3.2.3; Su et al. 2021, "RoFormer", section 3.2.2; Pope et al. 2022, "Efficiently
         scaling Transformer inference", section 2.1
"""

import numpy as np


def by_turned_keys(x, cache, params):
    past = 0 if cache is None else cache["K"].shape[-2]
    place = past + np.arange(x.shape[-2])
    Q, K, V = _turned(x @ params["Wq"], place), _turned(x @ params["Wk"], place), x @ params["Wv"]
    if cache is not None:
        K, V = (np.concatenate([cache[name], new], axis=-2) for name, new in (("K", K), ("V", V)))
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    scores = np.where(place[:, np.newaxis] >= np.arange(K.shape[-2]), scores, -np.inf)
    return _softmax(scores) @ V, {"K": K, "V": V}


def by_keys_as_they_are(x, cache, params):
    """The keys are kept unturned, and all of them are turned anew in each step."""
    new = {"K": np.einsum("...td,dk->...tk", x, params["Wk"]), "V": np.einsum("...td,dv->...tv", x, params["Wv"])}
    kept = new if cache is None else {name: np.concatenate([cache[name], new[name]], axis=-2) for name in new}
    everything = kept["K"].shape[-2]
    place = np.arange(everything - x.shape[-2], everything)
    queries, keys = _turned(x @ params["Wq"], place), _turned(kept["K"], np.arange(everything))
    scores = np.einsum("...id,...jd->...ij", queries, keys) * x.shape[-1] ** -0.5
    scores = scores + np.triu(np.full(scores.shape[-2:], -np.inf), k=everything - x.shape[-2] + 1)
    return np.einsum("...ij,...jd->...id", _softmax(scores), kept["V"]), kept


def by_one_token_after_the_other(x, cache, params):
    """Each token meets the cache as it is then, so no mask is needed; the cache keeps a list of rows besides."""
    rows = [] if cache is None else list(cache["rows"])
    outputs = []
    for token in range(x.shape[-2]):
        one = x[..., token : token + 1, :]
        place = np.array([len(rows)])
        rows.append((_turned(one @ params["Wk"], place), one @ params["Wv"]))
        K, V = (np.concatenate(each, axis=-2) for each in zip(*rows, strict=True))
        scores = _turned(one @ params["Wq"], place) @ np.swapaxes(K, -1, -2) / np.sqrt(x.shape[-1])
        outputs.append(_softmax(scores) @ V)
    return np.concatenate(outputs, axis=-2), {"K": K, "V": V, "rows": rows}


def _turned(x, place):
    angles = place[:, np.newaxis] * 10000.0 ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
    pairs = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * angles)
    return np.stack([pairs.real, pairs.imag], axis=-1).reshape(x.shape)


def _softmax(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


STYLES = {
    "turned keys": by_turned_keys,
    "keys as they are": by_keys_as_they_are,
    "one token after the other": by_one_token_after_the_other,
}
