"""The checks of `layer_norm`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Sizes are all different, because equal sizes hide exchanged axes. On numbers of an ordinary size
eps changes the sixth digit at most, so it is tried where it matters: with a large eps, and on rows that hardly vary.
"""

import numpy as np

from grader.judge.checking import (
    Finding,
    dtypes_hold,
    first_row_stays,
    forms_hold,
    inputs_hold,
    repeat_holds,
    same_as,
    values_of,
)
from grader.judge.drawing import distinct_sizes, tokens_in_words
from grader.judge.probing import Call
from grader.sandbox.wire import Layout

SMALL = 1e-3  # the variance is then a tenth of eps, so where eps stands decides the outcome
VALUES = ("plain", "batch", "two leading axes", "one token", "one column", "square")


def calls(random):
    """Return the calls of one draw by name."""
    batch, tokens, width = distinct_sizes(random, 3)

    def given(*shape, spread=1.0):
        # A mean that is not 0 shows who forgets to subtract it.
        x = spread * random.standard_normal(shape) + spread * random.uniform(0.5, 1.5)
        return x, random.uniform(0.5, 2.0, shape[-1]), random.standard_normal(shape[-1])

    x, g, b = given(tokens, width)
    others = np.concatenate([x[:1], random.standard_normal((tokens - 1, width)) * 50])
    shift = np.repeat(random.uniform(2.0, 9.0, (tokens, 1)), width, axis=1)
    return {
        "plain": _call((x, g, b)),
        "again": _call((x, g, b)),
        "batch": _call(given(batch, tokens, width), layout=Layout.STRIDED),
        "two leading axes": _call(given(2, batch, tokens, width), layout=Layout.FORTRAN),
        "one token": _call(given(1, width)),
        "one column": _call(given(tokens, 1)),
        "square": _call(given(4, 4)),
        "standard": _call((x, np.ones(width), np.zeros(width)), words=", a gain of 1 and a shift of 0"),
        "shifted": _call((x + shift, g, b), words=", every token shifted as a whole"),
        "other tokens": _call((others, g, b), words=", all tokens but the first changed"),
        "large eps": _call((*given(tokens, width), 0.5), words=", eps 0.5"),
        "small": _call(given(tokens, width, spread=SMALL), words=", numbers of a thousandth"),
        "constant": _call((np.full((tokens, width), 3.0), g, b), words=", all numbers of a token equal"),
    }


def standard(draw):
    probe = draw["standard"]
    output = probe.finite_output()
    means, variances = output.mean(axis=-1), output.var(axis=-1)
    # Beside a small variance eps leaves the result short of 1, so the reference says how near it comes.
    off = np.abs(means) + np.abs(variances - probe.expected.var(axis=-1))
    worst = off.argmax()
    if off[worst] <= draw.tolerance.single_precision:
        return Finding(True)
    got = f"a token with mean {means[worst]:.2f} and variance {variances[worst]:.2f}"
    return Finding(False, "mean 0 and variance 1 for each token", got, tried_with=probe.tried_with)


CHECKS = {
    "shape": forms_hold,
    "dtype": dtypes_hold,
    "values": values_of(*VALUES),
    "standard": standard,
    "shifted": same_as("plain", "shifted", "the same as before the shift"),
    "tokens": first_row_stays("plain", "other tokens"),
    "epsilon": values_of("large eps", "small"),
    "constant": values_of("constant"),
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _call(inputs, *, layout=Layout.PLAIN, words=""):
    return Call(inputs, tokens_in_words(inputs[0]) + words, layout)
