"""The checks of `transformer_block`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. A call sends the tensors of `params` one by one, and the adapter makes the dictionary of them.
Maps are scaled so that scores and inner numbers have a standard deviation of about 1, since much smaller or larger ones
hide a wrong scale; the second map of the network is larger, so that the two forms of GELU part by more than rounding.
"""

import numpy as np

from grader.judge.checking import (
    HOLDS,
    Finding,
    dtypes_hold,
    equal_hold,
    forms_hold,
    inputs_hold,
    repeat_holds,
    values_hold,
)
from grader.judge.probing import Call
from grader.judge.wording import short
from grader.sandbox.wire import Layout

VALUES = ("plain", "batch", "one token", "one head", "square")
UNCHANGED = 1e-12  # the same numbers enter these rows, so any correct program gets the same bits


def calls(random):
    """Return the calls of one draw by name."""
    tokens, inner = (int(each) for each in random.permutation([3, 5, 7, 8])[:2])  # none of them is a width
    heads, size = (int(each) for each in random.permutation([2, 3]))
    width = heads * size  # 6, or 4 where all sizes are to be equal

    def given(*leading, tokens=tokens, heads=heads, width=width):
        x = random.standard_normal((*leading, tokens, width))
        maps = [random.standard_normal((width, width)) / width**0.5 * 1.3 for _ in range(4)]
        norms = [random.uniform(0.5, 1.5, width), random.standard_normal(width) * 0.5]
        norms += [random.uniform(0.5, 1.5, width), random.standard_normal(width) * 0.5]
        network = [
            random.standard_normal((width, inner)) / width**0.5 * 2.0,
            random.standard_normal(inner),
            random.standard_normal((inner, width)),
            random.standard_normal(width),
        ]
        return (x, *maps, *norms, *network, heads)

    plain = given()
    x, *params = plain
    kept = max(1, tokens // 2)
    later = np.concatenate([x[:kept], 9.0 * random.standard_normal((tokens - kept, width))])
    order = np.roll(np.arange(tokens), 1)
    still = _without(plain, "Wo", "W2", "c2")
    alone = _without(plain, "Wo")
    others = np.concatenate([x[:1], random.standard_normal((tokens - 1, width))])
    return {
        "plain": _call(plain),
        "again": _call(plain),
        "batch": _call(given(2), layout=Layout.STRIDED),
        "one token": _call(given(tokens=1)),
        "one head": _call(given(heads=1)),
        "square": _call(given(2, tokens=4, heads=2, width=4)),
        "not causal": _call((*plain, False), words=", not causal", layout=Layout.FORTRAN),
        "reordered": _call((x[order], *params, False), words=", not causal, the tokens in another order"),
        "later tokens changed": _call((later, *params), words=f", changed from token {kept} on"),
        "maps of 0": _call(still, words=", Wo, W2 and c2 all 0"),
        "attention of 0": _call(alone, words=", Wo all 0"),
        "attention of 0, other tokens": _call((others, *alone[1:]), words=", Wo all 0, all tokens but the first changed"),
    }


def shape(draw):
    return forms_hold(draw)


def dtype(draw):
    return dtypes_hold(draw, "float64")


def values(draw):
    return values_hold([draw[name] for name in VALUES], draw.tolerance)


def full(draw):
    return values_hold([draw["not causal"]], draw.tolerance)


def identity(draw):
    probe = draw["maps of 0"]
    return equal_hold(probe, probe.finite_output(), probe.call.inputs[0], draw.tolerance, "x itself")


def future(draw):
    probe, plain = draw["later tokens changed"], draw["plain"].finite_output()
    kept = int((probe.call.inputs[0] == draw["plain"].call.inputs[0]).all(axis=-1).sum())
    change = float(np.abs(probe.finite_output()[:kept].astype(float) - plain[:kept].astype(float)).max())
    if change <= UNCHANGED:
        return HOLDS
    got = f"one of them changed by {short(change)}"
    return Finding(False, f"the same first {kept} rows as before", got, change, probe.tried_with)


def order(draw):
    probe, plain = draw["reordered"], draw["not causal"].finite_output()
    return equal_hold(
        probe, probe.finite_output(), np.roll(plain, 1, axis=-2), draw.tolerance, "the same rows in that order"
    )


def apart(draw):
    probe, before = draw["attention of 0, other tokens"], draw["attention of 0"].finite_output()
    return equal_hold(probe, probe.finite_output()[0], before[0], draw.tolerance, "the same first row as before")


def unchanged(draw):
    return inputs_hold(draw)


def repeatable(draw):
    return repeat_holds(draw["plain"], draw["again"])


CHECKS = {
    "shape": shape,
    "dtype": dtype,
    "values": values,
    "full": full,
    "identity": identity,
    "future": future,
    "order": order,
    "apart": apart,
    "unchanged": unchanged,
    "repeatable": repeatable,
}


def _without(given, *names):
    """Return the arguments with some of the maps set to 0."""
    places = {"Wo": 4, "W2": 11, "c2": 12}
    zeroed = [places[name] for name in names]
    return tuple(np.zeros_like(each) if place in zeroed else each for place, each in enumerate(given))


def _call(given, *, layout=Layout.PLAIN, words=""):
    *leading, tokens, width = given[0].shape
    before = "".join(f"{size} × " for size in leading)
    heads = given[13]
    sizes = f"{before}{tokens} {'token' if tokens == 1 else 'tokens'}, width {width}"
    return Call(given, f"{sizes}, {heads} {'head' if heads == 1 else 'heads'}{words}", layout)
