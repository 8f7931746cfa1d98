"""Known-wrong programs for `SelfAttention`, as one family: each switch is one decision that can be taken wrongly.

They are functions that answer what a call asks of a layer. The ids of VARIANTS, what each shows and which check must
catch it stand in `exercise.yaml`.
"""

from functools import partial

import numpy as np


def SelfAttention(
    x,
    Wq,
    bq,
    Wk,
    bk,
    Wv,
    bv,
    Wo,
    bo,
    keep=None,
    dropout=0.0,
    mode="evaluation",
    part="output",
    *,
    reaches="all",
    **switches,
):
    """Return what a layer answers in which the switches that are set differ from the right decision."""
    if part == "parameters":
        return np.array([1.0] * 8 + [0.0])
    if part == "gradients":
        return np.array([1.0 if reaches == "all" else 0.0] * 6 + [1.0] * 2)
    output = steps(x, Wq, bq, Wk, bk, Wv, bv, Wo, bo, keep, dropout, mode, **switches)[-1][1]
    if part == "drops":  # as the adapter has it of a layer
        kept = output * (x.shape[-2] * (1 - dropout))
        return np.array([np.ptp(kept, axis=-1).max() < 1e-3, np.abs(kept - kept.round()).max() < 1e-3]) * 1.0
    return output


def steps(
    x,
    Wq,
    bq,
    Wk,
    bk,
    Wv,
    bv,
    Wo,
    bo,
    keep=None,
    dropout=0.0,
    mode="evaluation",
    *,
    maps="three",
    turns="as kept",
    biases="added",
    scale="inner",
    hides="false",
    over="keys",
    drops="in training",
    joins="mapped",
    shift=True,
):
    """Return each step in words with the array it gives; the last one is the result."""

    def linear(rows, weight, bias):
        mapped = rows @ (weight.T if turns == "as kept" else weight)
        return mapped + bias if biases == "added" else mapped

    queries, keys, values = MAPS[maps](linear, x, (Wq, bq), (Wk, bk), (Wv, bv))
    divisor = {"inner": len(Wq) ** 0.5, "width": x.shape[-1] ** 0.5, "length": x.shape[-2] ** 0.5, "none": 1.0}[scale]
    scores = queries @ np.swapaxes(keys, -1, -2) / divisor
    hidden = None if keep is None else {"false": ~keep, "true": keep, "nothing": keep & False}[hides]
    masked = scores if hidden is None else np.where(hidden[..., np.newaxis, :], -np.inf, scores)
    weights = kept = _softmax(masked, axis=-1 if over == "keys" else -2, shift=shift)
    if dropout and (drops == "always" or (drops == "in training" and mode == "training")):
        # Nothing stays where the probability is nearly 1; where it is a half, which weights stay is of no importance.
        kept = weights * (np.random.default_rng(0).random(weights.shape) >= dropout) / (1 - dropout)
    dropping = f"Drop weights out with a probability of nearly 1 if the layer is in training; here it is in {mode}."
    mixed = kept @ values
    return [
        ("Map the tokens to queries: one row for each token.", queries),
        ("Map the tokens to keys.", keys),
        ("Map the tokens to values.", values),
        ("Multiply every query by every key and divide by the root of their width.", scores),
        ("Turn each query’s scores into weights that add up to 1.", weights),
        *([(dropping, kept)] if dropout else []),
        ("Mix the values with these weights.", mixed),
        ("Map the result back to the width of the tokens.", linear(mixed, Wo, bo) if joins == "mapped" else mixed),
    ]


def _softmax(scores, *, axis, shift):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True) if shift else scores)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


MAPS = {
    "three": lambda linear, x, *maps: [linear(x, *each) for each in maps],
    "one": lambda linear, x, *maps: [linear(x, *maps[0])] * 3,
    "one for queries and keys": lambda linear, x, *maps: [linear(x, *maps[place]) for place in (0, 0, 2)],
    "none": lambda linear, x, *maps: [x] * 3,
}

SWITCHES = {
    "one-map-for-all": {"maps": "one"},
    "one-map-for-queries-and-keys": {"maps": "one for queries and keys"},
    "no-maps": {"maps": "none"},
    "no-output-map": {"joins": "nothing"},
    "scale-by-input-width": {"scale": "width"},
    "scale-by-length": {"scale": "length"},
    "no-scale": {"scale": "none"},
    "softmax-over-queries": {"over": "queries"},
    "maps-transposed": {"turns": "transposed"},
    "no-biases": {"biases": "left out"},
    "inverted-mask": {"hides": "true"},
    "ignores-mask": {"hides": "nothing"},
    "dropout-always": {"drops": "always"},
    "dropout-never": {"drops": "never"},
    "leaves-pytorch": {"reaches": "the output map"},
    "no-shift": {"shift": False},
}


def _rung(tokens, width, inner, *, bias=0.0, keep=None, maps=()):
    """Return a form of input: tokens to be searched through, and maps that keep the columns readable."""
    chosen = maps or [np.eye(inner, width)] * 3
    given = [each for W in chosen for each in (W, np.zeros(inner))]
    form = ((tokens, width), *given, np.eye(width, inner), np.full(width, bias))
    return form if keep is None else (*form, np.array(keep))


_TURNED, _MIXED, _FIRST = np.eye(2)[::-1].copy(), np.array([[1.0, 1.0], [0.0, 1.0]]), np.diag([1.0, 0.0])

# Among inputs of these shapes the smallest counterexamples are looked for. With a dropout of nearly 1 nothing stays.
LADDER = [
    *(_rung(tokens, 1, 1) for tokens in (1, 2, 3)),
    *(_rung(2, 1, 1, keep=keep) for keep in ([True, False], [False, True])),
    *(_rung(2, width, inner) for width, inner in ((1, 2), (2, 1), (2, 2))),
    _rung(1, 2, 1, bias=1.0),
    *(_rung(2, 2, 2, maps=maps) for maps in ((_TURNED, np.eye(2), np.eye(2)), (_MIXED, _FIRST, np.eye(2)))),
    *(_rung(2, width, inner) for width, inner in ((2, 3), (3, 2))),
    *((*_rung(2, 1, 1, keep=[True, True]), 1.0 - 1e-12, mode) for mode in ("evaluation", "training")),
    (*_rung(2, 1, 1, keep=[True, True]), 0.0, "evaluation", "gradients"),
]


def steps_of(switches, x, *given):
    """Return the steps with these switches set; without any, those of the right layer."""
    if len(given) > len("Wq bq Wk bk Wv bv Wo bo keep dropout mode".split()):  # a part is asked for, the gradients
        reached = SelfAttention(x, *given, **switches)
        return [("Which of the parameters the gradient reaches: 1 for each of the eight that it does.", reached[np.newaxis])]
    return steps(x, *given, **{name: value for name, value in switches.items() if name != "reaches"})


VARIANTS = {name: partial(SelfAttention, **switches) for name, switches in SWITCHES.items()}
