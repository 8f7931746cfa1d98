"""Known-wrong programs for `decode_step`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`. A cache that is shared
between texts cannot be one of them: what it returns depends on every call before, so no rule foretells it.
"""

from functools import partial

import numpy as np


def decode_step(
    x,
    cache,
    params,
    *,
    mask="whole text",
    counts="whole text",
    turns="once",
    joins="appends",
    asks="new tokens",
    keeps="a new cache",
    scale="root",
):
    """Return the step in which the switches that are set differ from the right decision."""
    past, new = (0 if cache is None else cache["K"].shape[-2]), x.shape[-2]
    begin = {"whole text": past, "each call": 0, "after appending": past + new}[counts]
    place = begin + np.arange(new)
    Q, K, V = x @ params["Wq"], x @ params["Wk"], x @ params["Wv"]
    if turns != "never":
        Q, K = _turned(Q, place), _turned(K, place)
    if cache is not None:
        K, V = (JOINS[joins](cache[name], each) for name, each in (("K", K), ("V", V)))
    everything = K.shape[-2]
    keys = _turned(K, np.arange(everything)) if turns == "twice" else K
    if asks == "all tokens":
        Q = Q if cache is None else np.concatenate([cache["Q"], Q], axis=-2)
        rows = np.arange(everything)
    else:
        rows = everything - new + np.arange(new)
    scores = Q @ np.swapaxes(keys, -1, -2) / (Q.shape[-1] ** 0.5 if scale == "root" else 1.0)
    behind = rows[:, np.newaxis] - np.arange(everything)
    allowed = {
        "whole text": behind >= 0,
        "top left": np.tri(len(rows), everything, dtype=bool),
        "none": np.full(behind.shape, True),
        "past only": behind > 0,
    }[mask]
    scores = np.where(allowed, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    kept = {"K": K, "V": V, "Q": Q} if asks == "all tokens" else {"K": K, "V": V}
    if keeps == "the same cache" and cache is not None:
        cache.update(kept)
        kept = cache
    return weights @ V, kept


def _turned(x, place):
    angles = place[:, np.newaxis] * 10000.0 ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
    pairs = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * angles)
    return np.stack([pairs.real, pairs.imag], axis=-1).reshape(x.shape)


JOINS = {
    "appends": lambda old, new: np.concatenate([old, new], axis=-2),
    "prepends": lambda old, new: np.concatenate([new, old], axis=-2),
    "overwrites": lambda old, new: np.concatenate([old[..., : -new.shape[-2], :], new], axis=-2),
}

SWITCHES = {
    "top-left-mask": {"mask": "top left"},
    "no-mask-in-chunk": {"mask": "none"},
    "forgets-current": {"mask": "past only"},
    "positions-restart": {"counts": "each call"},
    "positions-after-appending": {"counts": "after appending"},
    "turns-cached-keys-again": {"turns": "twice"},
    "no-positions": {"turns": "never"},
    "prepends": {"joins": "prepends"},
    "overwrites-last": {"joins": "overwrites"},
    "caches-queries": {"asks": "all tokens"},
    "changes-the-cache": {"keeps": "the same cache"},
    "no-scale": {"scale": "none"},
}

VARIANTS = {name: partial(decode_step, **switches) for name, switches in SWITCHES.items()}

# Among inputs like these the smallest counterexamples are looked for: any text, its cuts and maps as they stand here.
MAPS = (np.eye(2), 2.0 * np.eye(2), np.eye(2))
LADDER = [
    ((tokens, 2), np.array(chunks), *MAPS, *part)
    for tokens, chunks, part in (
        (1, (1,), ()),
        (2, (2,), ()),
        (2, (1, 1), ()),
        (3, (2, 1), ()),
        (3, (1, 2), ()),
        (3, (1, 1, 1), ("continued twice",)),
        (4, (2, 1, 1), ()),
    )
]


def steps_of(switches, x, chunks, Wq, Wk, Wv, part="outputs"):
    """Return what each piece leaves in the cache and returns, with these switches set; the last one is all."""
    step, params = partial(decode_step, **switches), {"Wq": Wq, "Wk": Wk, "Wv": Wv}
    cache, outputs, shown, begin = None, [], [], 0
    for number, chunk in enumerate(chunks, start=1):
        piece = x[..., begin : begin + int(chunk), :]
        begin += int(chunk)
        if part == "continued twice" and begin == x.shape[-2]:
            step(piece, cache, params)
        output, cache = step(piece, cache, params)
        outputs.append(output)
        shown.append((f"Put keys into the cache, turned by their positions: after piece {number}.", cache["K"].copy()))
        shown.append((f"Mix the values with the weights that the new queries give: piece {number}.", output))
    whole = outputs[-1] if part == "continued twice" else np.concatenate(outputs, axis=-2)
    return [*shown, ("What the calls return, one below the other.", whole)]
