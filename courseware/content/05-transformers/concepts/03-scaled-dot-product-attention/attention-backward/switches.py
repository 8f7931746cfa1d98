"""Known-wrong programs for `attention_backward`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

from functools import partial
from itertools import product

import numpy as np


def attention_backward(Q, K, V, dO, causal=False, **switches):
    """Return three gradients in which the switches that are set differ from the right decision."""
    return tuple(dict(_worked(Q, K, V, dO, causal, **switches))[name] for name in ("dQ", "dK", "dV"))


def _worked(
    Q,
    K,
    V,
    dO,
    causal=False,
    *,
    scale="root",
    slopes="whole",
    back="once",
    masks="both",
    over="keys",
    values="turned",
    keys="turned",
    order="queries first",
    shift=True,
):
    """Return the matrices of both ways by name."""
    root = Q.shape[-1] ** 0.5 if scale == "root" else 1.0
    S = Q @ _turned(K) / root
    allowed = np.tri(*S.shape[-2:], dtype=bool) if causal and masks != "nowhere" else True
    softmax = partial(_softmax, axis=-1 if over == "keys" else -2, shift=shift)
    P = softmax(np.where(allowed, S, -np.inf))
    again = softmax(S) if masks == "forwards" else P  # a program that works the weights out again on its way back
    dP = dO @ _turned(V)
    dS = SLOPES[slopes](again, dP)
    for_queries, for_keys = {"once": (root, root), "never": (1.0, 1.0), "not for queries": (1.0, root),
                             "twice": (root**2, root**2)}[back]  # fmt: skip
    dQ = dS @ K / for_queries
    dK = (_turned(dS) if keys == "turned" else dS) @ Q / for_keys
    dV = (_turned(P) if values == "turned" else P) @ dO
    if order == "keys first":
        dQ, dK = dK, dQ
    return [("S", S), ("P", P), ("dP", dP), ("dS", dS), ("dQ", dQ), ("dK", dK), ("dV", dV)]


def _turned(array):
    return np.swapaxes(array, -1, -2)


def _softmax(scores, *, axis, shift):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True) if shift else scores)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


SLOPES = {
    "whole": lambda P, dP: P * (dP - (P * dP).sum(axis=-1, keepdims=True)),
    "diagonal": lambda P, dP: P * (1.0 - P) * dP,
    "no row sum": lambda P, dP: P * dP,
}

SWITCHES = {
    "diagonal-only": {"slopes": "diagonal"},
    "no-row-sum": {"slopes": "no row sum"},
    "no-scale-on-the-way-back": {"back": "never"},
    "no-scale-for-queries": {"back": "not for queries"},
    "scale-twice": {"back": "twice"},
    "no-scale": {"scale": "none"},
    "values-by-unturned-weights": {"values": "as they are"},
    "keys-by-unturned-slopes": {"keys": "as they are"},
    "queries-and-keys-exchanged": {"order": "keys first"},
    "mask-forgotten-on-the-way-back": {"masks": "forwards"},
    "mask-ignored": {"masks": "nowhere"},
    "softmax-over-queries": {"over": "queries"},
    "no-shift": {"shift": False},
}

STEPS = {
    "S": "Multiply every query by every key and divide by the root of the width.",
    "P": "Turn each query’s allowed scores into weights that add up to 1.",
    "dP": "Multiply the gradient of each output by every value: the gradient of the weights.",
    "dS": "Take each row’s weighted mean from it and multiply by the weights: the gradient of the scores.",
    "dQ": "Multiply by the keys and divide by the root of the width: the gradient of the queries.",
    "dK": "Turn it, multiply by the queries and divide by the root of the width: the gradient of the keys.",
    "dV": "Multiply the turned weights by the gradient of the outputs: the gradient of the values.",
}
NEEDED = [("S", "P", "dP", "dS", "dQ"), ("S", "P", "dP", "dS", "dK"), ("S", "P", "dV")]  # in the order of the result
NEEDED += [("S", "P", "dP", "dS", "dQ", "dK", "dV")]  # for all three at once

# Among inputs of these shapes the smallest counterexamples are looked for; then come causal and which gradient it is.
LADDER = [
    ((queries, width), (keys, width), (keys, 1), (queries, 1), causal, item)
    for queries, keys, width, causal, item in product((1, 2), (1, 2), (1, 2), (False, True), (2, 0, 1))
    if (queries == keys or not causal) and (width == 1 or queries == 1)
]
# Two mistakes share each single gradient with another one, so all three are asked for.
LADDER += [((1, 2), (2, 2), (2, 1), (1, 1), False, 3), ((2, 1), (2, 1), (2, 1), (2, 1), True, 3)]


def steps_of(switches, Q, K, V, dO, causal=False, item=0):
    """Return the steps to one gradient with these switches set; without any, those of the right program."""
    worked = dict(_worked(Q, K, V, dO, causal, **switches))
    shown = [(STEPS[name], worked[name]) for name in NEEDED[item]]
    if item < 3:
        return shown
    column = np.concatenate([worked[name].ravel() for name in ("dQ", "dK", "dV")])
    return [*shown, ("All three gradients, their numbers one below the other: queries, keys, values.", column[:, np.newaxis])]


VARIANTS = {name: partial(attention_backward, **switches) for name, switches in SWITCHES.items()}
