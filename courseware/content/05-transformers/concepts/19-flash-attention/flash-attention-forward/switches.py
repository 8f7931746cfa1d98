"""Known-wrong programs for `flash_attention`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`. `stores-all-scores` is right
in its values: it computes the whole table of scores.
"""

from functools import partial

import numpy as np


def flash_attention(Q, K, V, bq, bk, causal=False, **switches):
    """Return attention by tiles, and the logarithms, in which the switches that are set differ from the right way."""
    *_, (_, output), (_, logarithms) = steps(Q, K, V, bq, bk, causal, **switches)
    return output, logarithms[..., 0]


def steps(
    Q,
    K,
    V,
    bq,
    bk,
    causal=False,
    *,
    rescales="both",
    turned="forward",
    each="kept",
    divides=True,
    tail="kept",
    maximum="running",
    scale="root",
    diagonal="masked",
    logarithm="whole",
    sums="in full",
):
    """Return each step in words with the matrix it gives: the scores, what is kept of them, output and logarithms."""
    divisor = {"root": Q.shape[-1] ** 0.5, "none": 1.0, "twice": Q.shape[-1]}[scale]
    keys, is_causal = K.shape[-2], causal and diagonal != "no mask"
    if tail == "padded":
        room = [(0, 0)] * (K.ndim - 2) + [(0, -keys % bk), (0, 0)]
        K, V = np.pad(K, room), np.pad(V, room)
    table, outputs, kept_m, kept_l = [], [], [], []
    for top in range(0, Q.shape[-2], bq):
        queries = Q[..., top : top + bq, :]
        rows = top + np.arange(queries.shape[-2])[:, np.newaxis]
        m = np.full((*queries.shape[:-1], 1), -np.inf)
        l, o, blocks, line = np.zeros_like(m), np.zeros((*queries.shape[:-1], V.shape[-1])), 0, []
        for begin in range(0, K.shape[-2], bk):
            values = V[..., begin : begin + bk, :]
            scores = queries @ np.swapaxes(K[..., begin : begin + bk, :], -1, -2) / divisor
            columns = begin + np.arange(scores.shape[-1])
            crosses = begin <= rows[-1, 0] and columns[-1] > rows[0, 0]
            if is_causal and not (crosses and diagonal == "open"):
                scores = np.where(columns > rows, -np.inf, scores)
            line.append(scores[..., : max(0, keys - begin)])
            is_left_out = is_causal and (begin > rows[-1, 0] or (diagonal == "left out" and begin + bk > top))
            if is_left_out or (tail == "dropped" and scores.shape[-1] < bk):
                continue
            own = scores.max(axis=-1, keepdims=True)
            larger = {"running": np.maximum(m, own), "block": np.where(np.isinf(own), m, own), "none": np.zeros_like(m)}[maximum]
            weights = np.exp(scores - larger)
            if each != "kept":
                weights = weights / weights.sum(axis=-1, keepdims=True)
            old = np.exp(m - larger) if turned == "forward" or not blocks else np.exp(larger - m)
            if each != "kept" or maximum == "none":
                old = np.ones_like(m)
            l = (old if rescales in ("both", "sum") else 1.0) * l + weights.sum(axis=-1, keepdims=True)
            o = (old if rescales in ("both", "output") else 1.0) * o + weights @ values
            if sums == "in half precision":
                o = o.astype(np.float16).astype(np.float64)
            m, blocks = larger, blocks + 1
        table.append(np.concatenate(line, axis=-1))
        kept_m.append(m)
        kept_l.append(l)
        outputs.append({"kept": o / l if divides else o, "normalised": o, "averaged": o / blocks}[each])
    m, l = np.concatenate(kept_m, axis=-2), np.concatenate(kept_l, axis=-2)
    logarithms = {"whole": m + np.log(l), "without the largest": np.log(l), "the sum itself": l}[logarithm]
    return [
        ("Multiply queries and keys, divide by the root of the width, and hide what comes later.", _joined(table)),
        ("Keep the largest score of each query.", m),
        ("Keep the sum of its exponentials, measured from there.", l),
        ("Divide the weighted sum of the values by it.", _joined(outputs)),
        ("Take the logarithm of the whole sum.", logarithms),
    ]


def _joined(parts):
    return np.concatenate(parts, axis=-2)


SWITCHES = {
    "no-rescale-of-output": {"rescales": "sum"},
    "no-rescale-of-sum": {"rescales": "output"},
    "no-rescale": {"rescales": "none"},
    "inverse-rescale": {"turned": "backward"},
    "normalises-each-tile": {"each": "normalised"},
    "averages-tiles": {"each": "averaged"},
    "no-final-division": {"divides": False},
    "drops-tail": {"tail": "dropped"},
    "attends-to-padding": {"tail": "padded"},
    "diagonal-tile-unmasked": {"diagonal": "open"},
    "skips-diagonal": {"diagonal": "left out"},
    "no-mask": {"diagonal": "no mask"},
    "lse-without-largest": {"logarithm": "without the largest"},
    "lse-is-sum": {"logarithm": "the sum itself"},
    "scale-twice": {"scale": "twice"},
    "no-scale": {"scale": "none"},
    "half-accumulator": {"sums": "in half precision"},
    "block-maximum": {"maximum": "block"},
    "no-shift": {"maximum": "none"},
    "stores-all-scores": {},
}

# Among inputs of these shapes the smallest counterexamples are looked for; bq, bk, causal and part come last.
LADDER = [((1, 1), (keys, 1), (keys, 1), 1, block) for keys, block in ((2, 1), (3, 1), (3, 2))]
LADDER += [((1, 1), (1, 1), (1, 1), 1, 1, False, "LSE"), ((1, 2), (1, 2), (1, 1), 1, 1, False, "LSE")]
LADDER += [((2, 1), (2, 1), (2, 1), bq, bk, True) for bq, bk in ((1, 1), (2, 2))]
LADDER += [((3, 1), (3, 1), (3, 1), 1, 2, True)]  # a diagonal that crosses a tile, and another tile behind it
LADDER += [((1, 2), (2, 2), (2, 1), 1, 2)]
LADDER += [((1, 1), (1, 1), np.array([[2049.0]]), 1, 1)]  # the first whole number that float16 cannot hold


def steps_of(switches, Q, K, V, bq, bk, causal=False, part="O"):
    """Return the steps with these switches set; without any, those of the right way, up to the part that is asked for."""
    return steps(Q, K, V, bq, bk, causal, **switches)[: 5 if part == "LSE" else 4]


VARIANTS = {name: partial(flash_attention, **switches) for name, switches in SWITCHES.items()}
