"""The checks of `masked_attention`: which calls are made in one draw, and what must be true of the answers.

Runs in the judge only. Sizes are all different, because equal sizes hide exchanged axes; two square calls then show the
forms in which the exchange goes unnoticed. Whether hidden keys leak is decided by changing them, not by a tolerance.
"""

import numpy as np

from grader.exercises import Tolerance
from grader.judge.checking import HOLDS, Finding, equal_hold, forms_hold, inputs_hold, merged, repeat_holds, values_hold
from grader.judge.probing import Call, distinct_sizes
from grader.judge.wording import in_words, row, short
from grader.sandbox.wire import Layout

WEIGHTS_PROBE = "identity"

LARGE_SCORE = 3000.0  # exp overflows above 709 in float64 and 88 in float32, also after a division by a width of 4
LOW_SCORE = -30_000.0  # below -10,000, a number that many programs hide by
# A score of 30,000 has an error of about 2e-3 in float32, and the weights have it too.
LARGE_TOLERANCE = Tolerance(relative=1e-7, absolute=1e-9, single_precision=5e-2, reason="the rounding of large scores")
AMPLIFIED = 1e6  # a hidden score of -10 keeps a weight of 5e-5; amplified, its value cannot be overlooked
UNCHANGED = 1e-12  # the same numbers enter these rows, so any correct program gets the same bits

VALUES = (
    "plain", "padding", "batch", "heads", "own masks", "one mask", "one query", "square", "square padding", "cube",
)  # fmt: skip
OPEN = ("all kept", "single key")
EMPTY = ("empty rows", "empty text", "nothing kept")


def calls(random):
    """Return the calls of one draw by name."""
    queries, keys, width, value_width = distinct_sizes(random, 4)

    def given(leading=(), *, queries=queries, keys=keys, width=width, value_width=value_width):
        return tuple(
            random.standard_normal((*leading, rows, columns))
            for rows, columns in ((queries, width), (keys, width), (keys, value_width))
        )

    def keep(*shape):
        return _keep(random, (*shape, keys))

    Q, K, V = given()
    padding = keep(1)
    some_Q, some_K, _ = given(queries=4, keys=5, width=6)
    some_keep = _keep(random, (4, 5))
    empty = keep(queries)
    empty[random.integers(queries)] = False
    empty_text = keep(2, 1)
    empty_text[random.integers(2)] = False
    whole = keep(queries)
    return {
        "plain": _call((Q, K, V, whole)),
        "again": _call((Q, K, V, whole)),
        "padding": _call((Q, K, V, padding)),
        "padding changed": _call((Q, *_changed(random, K, V, padding), padding), words=", other hidden keys"),
        "padding removed": _call(
            (Q, K[padding[0]], V[padding[0]], padding[:, padding[0]]), words=", no hidden key", is_further=True
        ),
        "batch": _call((*given((2,)), keep(2, 1)), Layout.STRIDED),
        "heads": _call((*given((2, 9)), keep(2, 1, 1)), Layout.FORTRAN),
        "own masks": _call((*given((2,)), keep(2, queries))),
        "one mask": _call((*given((9, 2)), keep(1, 1, queries))),
        "one query": _call((*given(queries=1), keep(1))),
        "square": _call((*given(queries=4, keys=4, width=4, value_width=4), _keep(random, (4, 4)))),
        "square padding": _call((*given(queries=4, keys=4, width=4, value_width=4), _keep(random, (1, 4)))),
        "cube": _call((*given((4,), queries=4, keys=4, width=4, value_width=4), _keep(random, (4, 1, 4)))),
        "ones": _call((some_Q, some_K, np.ones((5, 3)), some_keep)),
        "identity": _call((some_Q, some_K, np.eye(5), some_keep)),
        "all kept": _call((Q, K, V, np.full((queries, keys), True)), is_further=True),
        "single key": _call((*given(keys=1), np.full((1, 1), True)), is_further=True),
        "empty rows": _call((Q, K, V, empty), words=", one row of keep false throughout", is_further=True),
        "empty text": _call((*given((2,)), empty_text), words=", one text without any key", is_further=True),
        "nothing kept": _call((Q, K, V, np.full((1, keys), False)), words=", keep false throughout", is_further=True),
        "large": _call((*_large(Q, K, whole), V, whole), words=", one score of 3000", is_extreme=True),
        "low": _call((*_low(random, Q, K), V, whole), words=", scores down to -30000", is_extreme=True),
    }


def shape(draw):
    return forms_hold(draw)


def values(draw):
    return values_hold([draw[name] for name in VALUES], draw.tolerance)


def all_kept(draw):
    return values_hold([draw[name] for name in OPEN], draw.tolerance)


def sums(draw):
    probe = draw["ones"]
    found = values_hold([probe], draw.tolerance)
    if found.holds:
        return found
    output = probe.finite_output()
    return Finding(
        holds=False,
        expected=f"1.00 for each of the {len(output)} queries",
        got=row(output[:, 0]),
        largest_difference=found.largest_difference,
        tried_with=probe.tried_with,
    )


def hidden(draw):
    probe = draw["padding changed"]
    before, after = (each.finite_output().astype(np.float64) for each in (draw["padding"], probe))
    change = float(np.abs(after - before).max())
    if change <= UNCHANGED:
        return HOLDS
    return Finding(False, "the same rows as before", f"one changed by {short(change)}", change, probe.tried_with)


def removed(draw):
    probe, whole = draw["padding removed"], draw["padding"].finite_output()
    words = "the same output as with the hidden keys in their place"
    return equal_hold(probe, probe.finite_output(), whole, draw.tolerance, words)


def empty_rows(draw):
    return values_hold([draw[name] for name in EMPTY], draw.tolerance)


def large(draw):
    probes = [draw["large"], draw["low"]]
    outputs = [probe.finite_output() for probe in probes]
    # Values are compared only where they are right on ordinary scores: other mistakes have checks of their own.
    if not values(draw).holds:
        return HOLDS
    return merged(
        equal_hold(probe, output, probe.expected, LARGE_TOLERANCE, "the reference’s numbers")
        for probe, output in zip(probes, outputs, strict=True)
    )


def unchanged(draw):
    return inputs_hold(draw)


def repeatable(draw):
    return repeat_holds(draw["plain"], draw["again"])


CHECKS = {
    "shape": shape,
    "values": values,
    "all-kept": all_kept,
    "sums": sums,
    "hidden": hidden,
    "removed": removed,
    "empty-rows": empty_rows,
    "large": large,
    "unchanged": unchanged,
    "repeatable": repeatable,
}


def _call(inputs, layout=Layout.PLAIN, *, words="", is_further=False, is_extreme=False):
    Q, K, _, keep = inputs
    leading = "".join(f"{size} × " for size in Q.shape[:-2])
    queries, keys = Q.shape[-2], K.shape[-2]
    counted = f"{queries} {'query' if queries == 1 else 'queries'}, {keys} {'key' if keys == 1 else 'keys'}"
    sizes = f"{leading}{counted}, width {Q.shape[-1]}, keep of shape {in_words(keep.shape)}"
    return Call(inputs, sizes + words, layout, is_further=is_further, is_extreme=is_extreme)


def _keep(random, shape):
    """Return truth values of which each row has some that are true and some that are false, at different places."""
    kept = random.integers(1, shape[-1], shape[:-1])
    return random.permuted(np.arange(shape[-1]) < kept[..., np.newaxis], axis=-1)


def _changed(random, K, V, padding):
    """Return K and V with others in the hidden places, the values very large."""
    hidden = ~padding[0][:, np.newaxis]
    others = random.standard_normal(K.shape), AMPLIFIED * random.uniform(1.0, 2.0, V.shape)
    return tuple(np.where(hidden, other, array) for other, array in zip(others, (K, V), strict=True))


def _large(Q, K, keep):
    """Return Q and K scaled so that the largest score that the mask leaves is LARGE_SCORE, after its division."""
    largest = (Q @ K.T)[keep].max() / Q.shape[-1] ** 0.5
    return Q * LARGE_SCORE / largest, K


def _low(random, Q, K):
    """Return Q and K whose scores all lie between LOW_SCORE and 4/9 of it."""
    queries, keys = (random.uniform(1.0, 1.5, array.shape) for array in (Q, K))
    largest = (queries @ keys.T).max() / Q.shape[-1] ** 0.5
    return queries * LOW_SCORE / largest, keys
