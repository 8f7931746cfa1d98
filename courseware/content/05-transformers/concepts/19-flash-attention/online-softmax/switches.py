"""Known-wrong programs for `online_softmax_attention`, as one family: each switch is one decision taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`. `stores-all-scores` is right
in its values: it computes the scores of all keys at once.
"""

from functools import partial

import numpy as np


def online_softmax_attention(Q, K, V, block, **switches):
    """Return attention by blocks in which the switches that are set differ from the right decision."""
    return steps(Q, K, V, block, **switches)[-1][1]


def steps(
    Q,
    K,
    V,
    block,
    *,
    rescales="both",
    turned="forward",
    each="kept",
    divides=True,
    tail="kept",
    maximum="running",
    scale="root",
):
    """Return each step in words with the matrix it gives; the last one is the result."""
    scores = Q @ np.swapaxes(K, -1, -2) / (Q.shape[-1] ** 0.5 if scale == "root" else 1.0)
    m = np.full((*Q.shape[:-1], 1), -np.inf)
    l, o = np.zeros_like(m), np.zeros((*Q.shape[:-1], V.shape[-1]))
    largest, sums = [], []
    begins = list(range(0, K.shape[-2], block))
    for begin in begins:
        part, values = scores[..., begin : begin + block], V[..., begin : begin + block, :]
        if tail == "dropped" and part.shape[-1] < block:
            largest.append(np.full_like(m, np.nan))
            sums.append(np.full_like(m, np.nan))
            continue
        own = part.max(axis=-1, keepdims=True)
        larger = {"running": np.maximum(m, own), "block": own, "none": np.zeros_like(m)}[maximum]
        weights = np.exp(part - larger)
        if each != "kept":
            weights = weights / weights.sum(axis=-1, keepdims=True)
        kept = np.exp(m - larger) if turned == "forward" or begin == 0 else np.exp(larger - m)
        if each != "kept" or maximum == "none":
            kept = np.ones_like(m)
        l = (kept if rescales in ("both", "sum") else 1.0) * l + weights.sum(axis=-1, keepdims=True)
        o = (kept if rescales in ("both", "output") else 1.0) * o + weights @ values
        m = larger
        largest.append(m)
        sums.append(l)
    result = o / l if divides else o
    if each == "normalised":
        result = o
    elif each == "averaged":
        result = o / len(begins)
    return [
        ("Multiply queries and keys and divide by the root of the width: one column for each key.", scores),
        ("Keep the largest score so far: one column for each block.", np.concatenate(largest, axis=-1)),
        ("Keep the sum of exponentials so far: one column for each block.", np.concatenate(sums, axis=-1)),
        ("Keep the weighted sum of the values; this is the one after the last block.", o),
        ("Divide it by the sum of exponentials.", result),
    ]


SWITCHES = {
    "no-rescale-of-output": {"rescales": "sum"},
    "no-rescale-of-sum": {"rescales": "output"},
    "no-rescale": {"rescales": "none"},
    "inverse-rescale": {"turned": "backward"},
    "normalises-each-block": {"each": "normalised"},
    "averages-blocks": {"each": "averaged"},
    "no-final-division": {"divides": False},
    "drops-tail": {"tail": "dropped"},
    "no-scale": {"scale": "none"},
    "block-maximum": {"maximum": "block"},
    "no-shift": {"maximum": "none"},
    "stores-all-scores": {},
}

# Among inputs of these shapes the smallest counterexamples are looked for; the last argument is the block.
LADDER = [
    ((1, width), (keys, width), (keys, 1), block)
    for width, keys, block in ((1, 2, 1), (1, 3, 1), (1, 3, 2), (1, 3, 3), (2, 2, 2), (1, 4, 2))
]


def steps_of(switches, Q, K, V, block):
    """Return the steps with these switches set; without any, those of the right computation."""
    return steps(Q, K, V, block, **switches)


VARIANTS = {name: partial(online_softmax_attention, **switches) for name, switches in SWITCHES.items()}
