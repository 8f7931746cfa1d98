"""Known-wrong programs for `transformer_block`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

import math
from functools import partial

import numpy as np

EPS = 1e-5
distribution = np.vectorize(lambda number: 0.5 * (1.0 + math.erf(number / math.sqrt(2.0))), otypes=[float])


def transformer_block(
    x,
    params,
    causal=True,
    *,
    norms="before",
    residuals="both",
    carries="stream",
    second="own",
    reads="stream",
    bends="gelu",
    spreads="tokens apart",
    mask="as asked",
    scale="root",
):
    """Return the block in which the switches that are set differ from the right decision."""
    first = partial(_norm, gain=params["g1"], shift=params["b1"])
    other = first if second == "first" else partial(_norm, gain=params["g2"], shift=params["b2"])
    is_causal = {"as asked": causal, "never": False, "always": True}[mask]
    attend = partial(_attention, params=params, causal=is_causal, scale=scale)
    feed = partial(_feed, params=params, bends=bends, spreads=spreads)
    if norms == "after":
        y = first(x * (residuals in ("both", "first")) + attend(x))
        return other(y * (residuals in ("both", "second")) + feed(y))
    normed = first(x)
    past = normed if carries == "normed" else x
    y = past * (residuals in ("both", "first")) + attend(normed if norms == "before" else x)
    normed = other(x if reads == "input" else y)
    past = normed if carries == "normed" else y
    return past * (residuals in ("both", "second")) + feed(normed if norms == "before" else y)


def _attention(z, params, causal, scale):
    def heads(name):
        return np.swapaxes((z @ params[name]).reshape(*z.shape[:-1], params["heads"], -1), -2, -3)

    Q, K, V = heads("Wq"), heads("Wk"), heads("Wv")
    divisor = {"root": Q.shape[-1] ** 0.5, "none": 1.0, "root of the width": z.shape[-1] ** 0.5}[scale]
    scores = Q @ np.swapaxes(K, -1, -2) / divisor
    if causal:
        scores = np.where(np.tri(z.shape[-2], dtype=bool), scores, -np.inf)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return np.swapaxes(weights @ V, -2, -3).reshape(z.shape) @ params["Wo"]


def _feed(z, params, bends, spreads):
    if spreads == "tokens as columns":
        z = np.swapaxes(z, -1, -2)
    inner = BENDS[bends](z @ params["W1"] + params["c1"])
    if spreads == "average":
        inner = np.broadcast_to(inner.mean(axis=-2, keepdims=True), inner.shape)
    result = inner @ params["W2"] + params["c2"]
    return np.swapaxes(result, -1, -2) if spreads == "tokens as columns" else result


def _norm(z, gain, shift):
    centred = z - z.mean(axis=-1, keepdims=True)
    return gain * centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPS) + shift


BENDS = {
    "gelu": lambda inner: inner * distribution(inner),
    "relu": lambda inner: np.maximum(inner, 0.0),
    "tanh": lambda inner: inner * 0.5 * (1.0 + np.tanh(math.sqrt(2.0 / math.pi) * (inner + 0.044715 * inner**3))),
    "nothing": lambda inner: inner,
}

SWITCHES = {
    "post-norm": {"norms": "after"},
    "no-norms": {"norms": "none"},
    "no-residual": {"residuals": "none"},
    "no-first-residual": {"residuals": "second"},
    "no-second-residual": {"residuals": "first"},
    "residual-from-normed": {"carries": "normed"},
    "shared-norm": {"second": "first"},
    "stale-input": {"reads": "input"},
    "relu": {"bends": "relu"},
    "tanh-gelu": {"bends": "tanh"},
    "no-bend": {"bends": "nothing"},
    "averages-tokens": {"spreads": "average"},
    "feeds-across-tokens": {"spreads": "tokens as columns"},
    "no-mask": {"mask": "never"},
    "always-masked": {"mask": "always"},
    "no-scale": {"scale": "none"},
    "scale-by-model-width": {"scale": "root of the width"},
}

VARIANTS = {name: partial(transformer_block, **switches) for name, switches in SWITCHES.items()}
