"""The checks of `decode_step`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. A call sends a whole text and how it is cut into pieces; the adapter makes the steps. The first
step hides almost every mistake with positions and masks, so there are at least three, and pieces of several sizes.
"""

import numpy as np

from grader.judge.checking import dtypes_hold, equal_hold, forms_hold, inputs_hold, repeat_holds, values_hold
from grader.judge.probing import Call
from grader.sandbox.wire import Layout

CUTS = ("prompt, then token by token", "two pieces", "pieces in a batch", "a long piece last")


def calls(random):
    """Return the calls of one draw by name."""
    tokens = int(random.choice([6, 7]))
    width = 4

    def given(*leading, tokens=tokens, width=width):
        maps = [random.standard_normal((width, width)) / width**0.5 * 1.4 for _ in range(3)]
        return random.standard_normal((*leading, tokens, width)), *maps

    plain, other = given(), given(tokens=6)
    return {
        "plain": _call(plain, [tokens]),
        "again": _call(plain, [tokens]),
        "batch": _call(given(2, 3), [tokens], layout=Layout.STRIDED),
        "one token": _call(given(tokens=1), [1]),
        "token by token": _call(plain, [1] * tokens),
        "prompt, then token by token": _call(other, [4, 1, 1]),
        "two pieces": _call(other, [3, 3]),
        "pieces in a batch": _call(given(2, width=6), [2, 1, tokens - 3], layout=Layout.FORTRAN),
        "a long piece last": _call(plain, [1, tokens - 1]),
        "keys": _call(other, [4, 1, 1], "K"),
        "values": _call(other, [4, 1, 1], "V"),
        "continued twice": _call(other, [3, 2, 1], "continued twice"),
    }


def shape(draw):
    return forms_hold(draw)


def dtype(draw):
    return dtypes_hold(draw, "float64")


def whole(draw):
    return values_hold([draw[name] for name in ("plain", "batch", "one token")], draw.tolerance)


def steps(draw):
    probe, plain = draw["token by token"], draw["plain"].finite_output()
    return equal_hold(probe, probe.finite_output(), plain, draw.tolerance, "the rows of the call with the whole text")


def pieces(draw):
    return values_hold([draw[name] for name in CUTS], draw.tolerance)


def cache(draw):
    return values_hold([draw["values"]], draw.tolerance)


def branch(draw):
    return values_hold([draw["continued twice"]], draw.tolerance)


def unchanged(draw):
    return inputs_hold(draw)


def repeatable(draw):
    return repeat_holds(draw["plain"], draw["again"])


CHECKS = {
    "shape": shape,
    "dtype": dtype,
    "whole": whole,
    "steps": steps,
    "pieces": pieces,
    "cache": cache,
    "branch": branch,
    "unchanged": unchanged,
    "repeatable": repeatable,
}


def _call(given, chunks, *part, layout=Layout.PLAIN):
    x, *maps = given
    *leading, tokens, width = x.shape
    before = "".join(f"{size} × " for size in leading)
    cut = f" in pieces of {', '.join(map(str, chunks))}" if len(chunks) > 1 else ""
    words = {"K": ", the keys in the cache", "V": ", the values in the cache"}.get("".join(part), "")
    words = ", continued twice from one cache" if part == ("continued twice",) else words
    sizes = f"{before}{tokens} {'token' if tokens == 1 else 'tokens'}{cut}, width {width}{words}"
    return Call((x, np.array(chunks), *maps, *part), sizes, layout)
