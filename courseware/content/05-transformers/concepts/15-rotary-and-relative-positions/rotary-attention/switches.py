"""Known-wrong programs for `rotary_attention`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

from functools import partial

import numpy as np


def rotary_attention(q, k, v, positions, base=10000.0, **switches):
    """Return rotary attention in which the switches that are set differ from the right decision."""
    return steps(q, k, v, positions, base, **switches)[-1][1]


def steps(
    q,
    k,
    v,
    positions,
    base=10000.0,
    *,
    turns="queries and keys",
    pairs="neighbours",
    way="forward",
    begins="given",
    exponent="2i / width",
    bases="given",
    scale="root",
    over="keys",
):
    """Return each step in words with the matrix it gives; the last one is the result."""
    place = positions if begins == "given" else np.arange(len(positions)) * 1.0
    base = base if bases == "given" else 10000.0

    def turned(x):
        number = np.arange(x.shape[-1] // 2)
        power = {"2i / width": 2 * number, "i / width": number, "none": 0 * number}[exponent] / x.shape[-1]
        angles = place[:, np.newaxis] * base**-power
        if turns == "adds":
            return x + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(place), -1)
        if pairs == "neighbours":
            across, angles = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape), np.repeat(angles, 2, -1)
        else:
            half = x.shape[-1] // 2
            across = np.concatenate([-x[..., half:], x[..., :half]], axis=-1)
            angles = np.concatenate([angles, angles], axis=-1)
        return x * np.cos(angles) + across * np.sin(angles) * (1.0 if way == "forward" else -1.0)

    queries = turned(q) if turns in ("queries and keys", "only queries", "values too", "adds") else q
    keys = turned(k) if turns in ("queries and keys", "only keys", "values too", "adds") else k
    values = turned(v) if turns == "values too" else v
    divisor = {"root": q.shape[-1] ** 0.5, "none": 1.0, "width": q.shape[-1]}[scale]
    scores = queries @ np.swapaxes(keys, -1, -2) / divisor
    axis = -1 if over == "keys" else -2
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    weights = weights / weights.sum(axis=axis, keepdims=True)
    return [
        ("Turn each pair of every query by its angle.", queries),
        ("Turn each pair of every key by its angle.", keys),
        ("Multiply queries and keys and divide by the root of the width.", scores),
        ("Turn the scores of each row into weights that add up to 1.", weights),
        ("Mix the values, which nobody turns, with these weights.", weights @ values),
    ]


SWITCHES = {
    "turns-values-too": {"turns": "values too"},
    "only-queries": {"turns": "only queries"},
    "only-keys": {"turns": "only keys"},
    "no-turn": {"turns": "nothing"},
    "added": {"turns": "adds"},
    "half-split": {"pairs": "halves"},
    "turns-the-wrong-way": {"way": "backward"},
    "ignores-positions": {"begins": "counted"},
    "exponent-i": {"exponent": "i / width"},
    "one-frequency": {"exponent": "none"},
    "ignores-base": {"bases": "always 10000"},
    "no-scale": {"scale": "none"},
    "divide-by-width": {"scale": "width"},
    "softmax-over-queries": {"over": "queries"},
}

# Among inputs like these the smallest counterexamples are looked for: any queries, and the rest as it stands here.
LADDER = [
    ((2, 2), np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[2.0, 0.0], [0.0, 1.0]]), np.array([0.0, 2.0])),
    ((2, 2), np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[2.0, 0.0], [0.0, 1.0]]), np.array([3.0, 1.0])),
    *(
        ((2, 4), np.array([[0.0, 1.0, 0.0, 2.0], [1.0, 0.0, 1.0, 2.0]]), np.array([[2.0, 0.0], [0.0, 1.0]]), place, *base)
        for place, base in ((np.array([0.0, 2.0]), ()), (np.array([3.0, 1.0]), (4.0,)))
    ),
]


def steps_of(switches, q, k, v, positions, base=10000.0):
    """Return the steps with these switches set; without any, those of rotary attention itself."""
    return steps(q, k, v, positions, base, **switches)


VARIANTS = {name: partial(rotary_attention, **switches) for name, switches in SWITCHES.items()}
