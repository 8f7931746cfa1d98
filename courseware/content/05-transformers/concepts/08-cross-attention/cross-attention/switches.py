"""Known-wrong programs for `cross_attention`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

from functools import partial

import numpy as np


def cross_attention(x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep=None, **switches):
    """Return cross-attention in which the switches that are set differ from the right decision."""
    return steps(x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep, **switches)[-1][1]


def steps(
    x_q,
    x_kv,
    Wq,
    Wk,
    Wv,
    Wo,
    heads,
    kv_keep=None,
    *,
    sources="q kv kv",
    counts="heads",
    splits="columns",
    scale="head",
    order="free",
    mask="keys",
    over="keys",
    shift=True,
):
    """Return each step in words with the array it gives, heads under each other; the last one is the result."""
    heads = 1 if counts == "one" else heads
    given = {"q": x_q, "kv": x_kv}
    queries, keys, values = (
        SPLITS[splits](given[source] @ W, heads)
        for source, W in zip(sources.split(), (Wq, Wk, Wv), strict=True)
    )
    divisor = {"head": queries.shape[-1] ** 0.5, "model": x_q.shape[-1] ** 0.5, "none": 1.0}[scale]
    scores = queries @ np.swapaxes(keys, -1, -2) / divisor
    masked = _masked(scores, kv_keep, mask)
    if order == "causal":
        masked = np.where(np.tri(*masked.shape[-2:], dtype=bool), masked, -np.inf)
    weights = _softmax(masked, axis={"keys": -1, "queries": -2}[over], shift=shift)
    found = weights @ values
    moved = np.swapaxes(found, -2, -3)
    merged = moved.reshape(*moved.shape[:-2], -1)
    return [
        ("Map the rows that ask to queries: for each head in turn, a row for each query.", queries),
        ("Map the rows that answer to keys.", keys),
        ("Map the rows that answer to values.", values),
        ("In each head, multiply queries by keys and divide by the root of the head’s width.", scores),
        ("Turn each query’s allowed scores in each head into weights that add up to 1.", weights),
        ("In each head, mix the values with these weights.", found),
        ("Put the heads side by side: one row for each query.", merged),
        ("Multiply by the output map.", merged @ Wo),
    ]


def _masked(scores, kv_keep, mask):
    if kv_keep is None or mask == "ignored":
        return scores
    if mask == "queries":
        return np.where(kv_keep[..., np.newaxis, :, np.newaxis], scores, -np.inf)
    allowed = kv_keep[..., np.newaxis, np.newaxis, :]
    return np.where(~allowed if mask == "inverted" else allowed, scores, -np.inf)


def _softmax(scores, *, axis, shift):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True) if shift else scores)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


SPLITS = {
    "columns": lambda y, heads: np.swapaxes(y.reshape(*y.shape[:-1], heads, -1), -2, -3),
    "view": lambda y, heads: y.reshape(*y.shape[:-2], heads, y.shape[-2], -1),
}

SWITCHES = {
    "only-x-q": {"sources": "q q q"},
    "exchanged": {"sources": "kv q q"},
    "keys-from-x-q": {"sources": "q q kv"},
    "values-from-x-q": {"sources": "q kv q"},
    "causal-mask": {"order": "causal"},
    "softmax-over-queries": {"over": "queries"},
    "masks-queries": {"mask": "queries"},
    "inverted-mask": {"mask": "inverted"},
    "ignores-mask": {"mask": "ignored"},
    "no-scale": {"scale": "none"},
    "scale-by-model-width": {"scale": "model"},
    "one-wide-head": {"counts": "one"},
    "view-split": {"splits": "view"},
    "no-shift": {"shift": False},
}

# Among inputs of these shapes the smallest counterexamples are looked for. Only the rows of both texts are searched
# through; the maps are the identity.
_ONE, _TWO = np.eye(1), np.eye(2)
LADDER = [
    *(((queries, 1), (keys, 1), _ONE, _ONE, _ONE, _ONE, 1) for queries in (1, 2) for keys in (1, 2, 3)),
    *(
        ((queries, 1), (2, 1), _ONE, _ONE, _ONE, _ONE, 1, np.array(keep))
        for queries in (1, 2)
        for keep in ([True, False], [False, True])
    ),
    ((1, 2), (2, 2), _TWO, _TWO, _TWO, _TWO, 2),
    ((1, 2), (2, 2), _TWO, _TWO, _TWO, _TWO, 1),
    ((2, 2), (2, 2), _TWO, _TWO, _TWO, _TWO, 2),
]


def steps_of(switches, x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep=None):
    """Return the steps with these switches set; without any, those of cross-attention itself."""
    return steps(x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep, **switches)


VARIANTS = {name: partial(cross_attention, **switches) for name, switches in SWITCHES.items()}
