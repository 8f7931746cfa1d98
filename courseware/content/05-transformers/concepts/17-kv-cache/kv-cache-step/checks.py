"""The checks of `decode_step`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. A call sends a whole text and how it is cut into pieces; the adapter makes the steps. The first
step hides almost every mistake with positions and masks, so there are at least three, and pieces of several sizes.
"""

import numpy as np

from grader.judge.checking import dtypes_hold, forms_hold, inputs_hold, repeat_holds, same_as, values_of
from grader.judge.drawing import counted, leading_in_words
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


CHECKS = {
    "shape": forms_hold,
    "dtype": dtypes_hold,
    "whole": values_of("plain", "batch", "one token"),
    "steps": same_as("plain", "token by token", "the rows of the call with the whole text"),
    "pieces": values_of(*CUTS),
    "cache": values_of("values"),
    "branch": values_of("continued twice"),
    "unchanged": inputs_hold,
    "repeatable": repeat_holds,
}


def _call(given, chunks, *part, layout=Layout.PLAIN):
    x, *maps = given
    cut = f" in pieces of {', '.join(map(str, chunks))}" if len(chunks) > 1 else ""
    words = {"K": ", the keys in the cache", "V": ", the values in the cache"}.get("".join(part), "")
    words = ", continued twice from one cache" if part == ("continued twice",) else words
    sizes = f"{leading_in_words(x)}{counted(x.shape[-2], 'token')}{cut}, width {x.shape[-1]}{words}"
    return Call((x, np.array(chunks), *maps, *part), sizes, layout)
