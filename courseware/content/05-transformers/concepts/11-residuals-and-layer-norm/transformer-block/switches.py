"""Known-wrong programs for `transformer_block`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

import math
from functools import partial

import numpy as np

EPS = 1e-5
distribution = np.vectorize(lambda number: 0.5 * (1.0 + math.erf(number / math.sqrt(2.0))), otypes=[float])


def transformer_block(x, params, causal=True, **switches):
    """Return the block in which the switches that are set differ from the right decision."""
    return steps(x, params, causal, **switches)[-1][1]


def steps(
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
    """Return each step in words with the matrix it gives; the last one is the result."""
    first = partial(_norm, gain=params["g1"], shift=params["b1"])
    other = first if second == "first" else partial(_norm, gain=params["g2"], shift=params["b2"])
    is_causal = {"as asked": causal, "never": False, "always": True}[mask]
    attend = partial(_attention, params=params, causal=is_causal, scale=scale)
    feed = partial(_feed, params=params, bends=bends, spreads=spreads)
    read = first(x) if norms == "before" else x
    heard = attend(read)
    y = (read if carries == "normed" else x) * (residuals in ("both", "first")) + heard
    y = first(y) if norms == "after" else y
    reread = other(x if reads == "input" else y) if norms == "before" else y
    fed = feed(reread)
    result = (reread if carries == "normed" else y) * (residuals in ("both", "second")) + fed
    return [
        ("Normalise a copy of x for attention to read.", read),
        ("Let attention gather from the tokens that each may use.", heard),
        ("Add that to x: this is y.", y),
        ("Normalise a copy of y for the network to read.", reread),
        ("Let the network work on each token by itself.", fed),
        ("Add that to y.", other(result) if norms == "after" else result),
    ]


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

# Among texts of these sizes the smallest counterexamples are looked for; what belongs to the block stands here.
_SAME, _ONES, _ZEROS = np.eye(2), np.ones(2), np.zeros(2)
PARAMS = {
    **{"Wq": _SAME, "Wk": np.diag([2.0, 1.0]), "Wv": np.array([[1.0, 1.0], [0.0, 2.0]])},
    **{"Wo": np.array([[1.0, 0.0], [1.0, 1.0]]), "g1": np.array([2.0, 1.0]), "b1": np.array([0.0, 1.0])},
    **{"g2": np.array([1.0, 3.0]), "b2": np.array([1.0, 0.0]), "W1": _SAME, "c1": np.array([0.0, 1.0])},
    **{"W2": np.array([[1.0, 0.0], [1.0, 1.0]]), "c2": np.array([0.0, 1.0]), "heads": 2},
}


def _rung(tokens, *causal, **changes):
    return ((tokens, 2), *(PARAMS | changes).values(), *causal)


LADDER = [_rung(tokens, *causal) for tokens in (1, 2) for causal in ((), (False,))]
# Turned about, what attention brings outweighs x or not; scores are near to each other; the two curves are 0.0005 apart.
LADDER += [_rung(1, Wo=-PARAMS["Wo"])]
LADDER += [_rung(2, Wk=_SAME, g1=_ONES, b1=_ZEROS, heads=heads) for heads in (1, 2)]
LADDER += [_rung(1, W2=1000.0 * PARAMS["W2"])]


def steps_of(switches, x, *given):
    """Return the steps with these switches set; without any, those of the block itself."""
    params = dict(zip(PARAMS, given, strict=False))
    return steps(x, params, *given[len(PARAMS) :], **switches)


VARIANTS = {name: partial(transformer_block, **switches) for name, switches in SWITCHES.items()}
