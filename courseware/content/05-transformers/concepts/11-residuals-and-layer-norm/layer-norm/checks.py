"""The checks of `layer_norm`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Sizes are all different, because equal sizes hide exchanged axes. On numbers of an ordinary size
eps changes the sixth digit at most, so it is tried where it matters: with a large eps, and on rows that hardly vary.
"""

import numpy as np

from grader.judge.checking import (
    Finding,
    dtypes_hold,
    equal_hold,
    forms_hold,
    inputs_hold,
    merged,
    repeat_holds,
    values_hold,
)
from grader.judge.probing import Call, distinct_sizes
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


def shape(draw):
    return forms_hold(draw)


def dtype(draw):
    return dtypes_hold(draw, "float64")


def values(draw):
    return values_hold([draw[name] for name in VALUES], draw.tolerance)


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


def shifted(draw):
    probe, plain = draw["shifted"], draw["plain"].finite_output()
    return equal_hold(probe, probe.finite_output(), plain, draw.tolerance, "the same as before the shift")


def tokens(draw):
    probe, plain = draw["other tokens"], draw["plain"].finite_output()
    return equal_hold(probe, probe.finite_output()[0], plain[0], draw.tolerance, "the same first row as before")


def epsilon(draw):
    return merged([values_hold([draw[name]], draw.tolerance) for name in ("large eps", "small")])


def constant(draw):
    return values_hold([draw["constant"]], draw.tolerance)


def unchanged(draw):
    return inputs_hold(draw)


def repeatable(draw):
    return repeat_holds(draw["plain"], draw["again"])


CHECKS = {
    "shape": shape,
    "dtype": dtype,
    "values": values,
    "standard": standard,
    "shifted": shifted,
    "tokens": tokens,
    "epsilon": epsilon,
    "constant": constant,
    "unchanged": unchanged,
    "repeatable": repeatable,
}


def _call(inputs, *, layout=Layout.PLAIN, words=""):
    *leading, tokens, width = inputs[0].shape
    before = "".join(f"{size} × " for size in leading)
    return Call(inputs, f"{before}{tokens} {'token' if tokens == 1 else 'tokens'}, width {width}{words}", layout)
