"""The checks of `transformer_block`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. A call sends the tensors of `params` one by one, and the adapter makes the dictionary of them.
Maps are scaled so that scores and inner numbers have a standard deviation of about 1, since much smaller or larger ones
hide a wrong scale; the second map of the network is larger, so that the two forms of GELU part by more than rounding.
"""

import numpy as np

from grader.judge.checking import (
    Finding,
    dtypes_hold,
    earlier_rows_stay,
    equal_hold,
    first_row_stays,
    forms_hold,
    inputs_hold,
    repeat_holds,
    same_as,
    values_of,
)
from grader.judge.drawing import counted, tokens_in_words
from grader.judge.probing import Call
from grader.sandbox.wire import Layout

VALUES = ("plain", "batch", "one token", "one head", "square")


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
        "params afterwards": _call((*plain, True, "params")),
        "batch": _call(given(2), layout=Layout.STRIDED),
        "one token": _call(given(tokens=1)),
        "one head": _call(given(heads=1)),
        "square": _call(given(2, tokens=4, heads=2, width=4)),
        "not causal": _call((*plain, False), words=", not causal", layout=Layout.FORTRAN),
        "reordered": _call((x[order], *params, False), words=", not causal, the tokens in another order"),
        "later tokens changed": _call((later, *params), words=f", changed from token {kept} on"),
        "maps of 0": _call(still, words=", Wo, W2 and c2 all 0"),
        "attention of 0": _call(alone, words=", Wo all 0"),
        "attention of 0, other tokens": _call(
            (others, *alone[1:]), words=", Wo all 0, all tokens but the first changed"
        ),
    }


def identity(draw):
    probe = draw["maps of 0"]
    return equal_hold(probe, probe.finite_output(), probe.call.inputs[0], draw.tolerance, "x itself")


def unchanged(draw):
    found, probe = inputs_hold(draw), draw["params afterwards"]
    if not found.holds or probe.finite_output().all():
        return found
    return Finding(False, "the inputs as they were given", "params changed", tried_with=probe.tried_with)


CHECKS = {
    "shape": forms_hold,
    "dtype": dtypes_hold,
    "values": values_of(*VALUES),
    "full": values_of("not causal"),
    "identity": identity,
    "future": earlier_rows_stay("plain", "later tokens changed"),
    "order": same_as(
        "not causal", "reordered", "the same rows in that order", turned=lambda rows: np.roll(rows, 1, axis=-2)
    ),
    "apart": first_row_stays("attention of 0", "attention of 0, other tokens"),
    "unchanged": unchanged,
    "repeatable": repeat_holds,
}


def _without(given, *names):
    """Return the arguments with some of the maps set to 0."""
    places = {"Wo": 4, "W2": 11, "c2": 12}
    zeroed = [places[name] for name in names]
    return tuple(np.zeros_like(each) if place in zeroed else each for place, each in enumerate(given))


def _call(given, *, layout=Layout.PLAIN, words=""):
    heads = given[13]
    return Call(given, f"{tokens_in_words(given[0])}, {counted(heads, 'head')}{words}", layout)
