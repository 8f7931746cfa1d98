"""Known-wrong programs for `masked_attention`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

from functools import partial

import numpy as np


def masked_attention(Q, K, V, keep, **switches):
    """Return masked attention in which the switches that are set differ from the right decision."""
    return steps(Q, K, V, keep, **switches)[-1][1]


def steps(
    Q, K, V, keep, *, scale="root", reads="keep", hides="minus infinity", empty="zeros", over="keys", shift=True
):
    """Return each step in words with the matrix it gives; the last one is the result."""
    allowed = READS[reads](keep)
    if hides == "emptied keys":
        K = np.where(_per_key(allowed), K, 0.0)
    if hides == "emptied values":
        V = np.where(_per_key(allowed), V, 0.0)
    products = Q @ np.swapaxes(K, -1, -2)
    scores = products / {"root": Q.shape[-1] ** 0.5, "width": Q.shape[-1]}.get(scale, 1.0)
    masked, factor = HIDES.get(hides, _unmasked)(scores, allowed, empty)
    weights = _softmax(masked, over=over, shift=shift, empty=empty) * factor
    if hides == "afterwards, shared anew":
        left = weights.sum(axis=-1, keepdims=True)
        weights = weights / np.where(allowed.any(axis=-1, keepdims=True), left, 1.0)
    marked = allowed * np.ones_like(scores)
    return [
        ("Multiply every query by every key: a row for each query, a column for each key.", products),
        ("Divide by the root of the width to get the scores.", scores),
        ("Mark the keys that each query may use: 1 for an allowed one, 0 for a hidden one.", marked),
        ("Turn each row’s allowed scores into weights that add up to 1; where there are none, zeros.", weights),
        ("Mix the values with these weights.", weights @ V),
    ]


def _softmax(scores, *, over, shift, empty):
    axis = {"keys": -1, "queries": -2}[over]
    highest = scores.max(axis=axis, keepdims=True)
    if empty == "zeros":
        highest = np.where(np.isneginf(highest), 0.0, highest)
    exponentials = np.exp(scores - highest if shift else scores)
    total = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / (np.where(total == 0, 1.0, total) if empty == "zeros" else total)


def _per_key(allowed):
    """Return which keys the first query may use, as a column; keys and values are emptied for all queries alike."""
    return np.swapaxes(allowed[..., :1, :], -1, -2)


def _filled(number):
    """Hide by a finite score; a program that makes zeros of empty rows does so after the softmax."""

    def masked(scores, allowed, empty):
        return np.where(allowed, scores, number), allowed.any(axis=-1, keepdims=True) if empty == "zeros" else 1.0

    return masked


def _unmasked(scores, allowed, empty):
    return scores, 1.0


READS = {
    "keep": lambda keep: keep,
    "inverted": lambda keep: ~keep,
    "queries": lambda keep: np.swapaxes(keep, -1, -2),
    "squeezed": np.squeeze,
    "nothing": lambda keep: np.full_like(keep, True),
}

HIDES = {
    "minus infinity": lambda scores, allowed, empty: (np.where(allowed, scores, -np.inf), 1.0),
    "a billion": _filled(-1e9),
    "a billion less": lambda scores, allowed, empty: (scores - 1e9 * ~allowed, 1.0),
    "ten thousand": _filled(-1e4),
    "ten": _filled(-10.0),
    "zero": lambda scores, allowed, empty: (np.where(allowed, scores, 0.0), 1.0),
    "one more": lambda scores, allowed, empty: (scores + allowed, 1.0),
    "afterwards": lambda scores, allowed, empty: (scores, allowed),
    "afterwards, shared anew": lambda scores, allowed, empty: (scores, allowed),
}

SWITCHES = {
    "inverted-mask": {"reads": "inverted"},
    "mask-added": {"hides": "one more"},
    "masks-queries": {"reads": "queries"},
    "squeezed-mask": {"reads": "squeezed"},
    "no-mask": {"reads": "nothing"},
    "empties-values": {"hides": "emptied values"},
    "empties-keys": {"hides": "emptied keys"},
    "zero-scores": {"hides": "zero"},
    "mask-after-softmax": {"hides": "afterwards"},
    "minus-ten": {"hides": "ten"},
    "empty-row-no-number": {"empty": "no number"},
    "empty-row-average": {"hides": "a billion", "empty": "average"},
    "empty-row-unmasked": {"hides": "a billion less"},
    "no-scale": {"scale": "none"},
    "softmax-over-queries": {"over": "queries"},
    "minus-ten-thousand": {"hides": "ten thousand"},
    "shared-anew-afterwards": {"hides": "afterwards, shared anew"},
    "no-shift": {"shift": False},
}


def _masks(queries, keys):
    """Return the masks of this size in which some entry is false and some is true."""
    for number in range(1, 2 ** (queries * keys) - 1):
        yield np.array([number >> place & 1 for place in range(queries * keys)], dtype=bool).reshape(queries, keys)


# Among inputs of these shapes the smallest counterexamples are looked for, one rung for each mask of few entries.
LADDER = [
    ((queries, width), (keys, width), (keys, 1), mask)
    for queries, keys, width in ((1, 1, 1), (1, 2, 1), (2, 1, 1), (1, 2, 2), (2, 2, 1))
    for mask in (*_masks(queries, keys), np.zeros((queries, keys), dtype=bool))
]
# A weight of 0.00005 is seen if the value is large, and a mask without its axes in a batch of as many texts as queries.
LADDER += [((1, 1), (2, 1), np.array([[0.0], [1e5]]), np.array([[True, False]]))]
LADDER += [(np.ones((2, 2, 1)), (2, 2, 1), (2, 2, 1), np.array([[[True, False]], [[True, True]]]))]


def steps_of(switches, Q, K, V, keep):
    """Return the steps with these switches set; without any, those of masked attention itself."""
    return steps(Q, K, V, keep, **switches)


VARIANTS = {name: partial(masked_attention, **switches) for name, switches in SWITCHES.items()}
