"""Measuring: what can be read off a program's answers where no known rule fits.

Passing the identity as values makes the output the weights themselves, and these tell how the scores were scaled, what
adds up to 1 and which keys count. It names no misconception; it must not know any.
"""

from dataclasses import dataclass

import numpy as np

from grader.judge.arrays import Floats, Numbers
from grader.judge.comparing import is_real
from grader.judge.folders import Bench
from grader.judge.probing import Draw, Probe
from grader.judge.wording import short
from grader.sandbox.replies import Returned
from grader.verdicts import Diagnosis, Wording

CLOSE = 1e-6  # what float32 leaves is smaller; anything that is wrong on purpose is far larger
ROUNDED = 1e-2  # half precision stays below, and no mistake in a rule does
FIRST = "Begin with the first check that fails: its line says what was expected and what to try."


@dataclass(frozen=True)
class Slope:
    """By what the raw products were multiplied before the softmax, and by what they should have been."""

    own: float
    right: float


def measured(bench: Bench, draw: Draw) -> Diagnosis:
    """Return what is said of a program that follows no known rule: what was measured, as far as anything was."""
    found = _of_weights(draw[bench.weights_probe]) if bench.weights_probe else []
    slope = _slope(draw[bench.weights_probe]) if bench.weights_probe else None
    found += _of_outputs(draw)
    if slope and abs(slope.own - slope.right) > CLOSE * abs(slope.right):
        return Diagnosis(
            wording=Wording.CONSISTENT,
            misconception="",
            sentence=f"It is consistent with scores that were multiplied by {slope.own:.3f} before the softmax.",
            detail=f"Right would be {slope.right:.3f}: look at what you divide by. {FIRST}",
        )
    return Diagnosis(
        wording=Wording.NONE,
        misconception="",
        sentence="No known rule fits.",
        detail=" ".join([*found[:2], FIRST]),
    )


def _of_weights(probe: Probe) -> list[str]:
    """Return what is wrong with a program's weights, in sentences."""
    weights, right = _output(probe), probe.expected
    if weights is None or weights.ndim != 2:
        return []
    found = []
    rows, columns = weights.sum(axis=-1), weights.sum(axis=-2)
    adds_up = np.abs(right.sum(axis=-1) - 1.0).max() <= CLOSE
    if adds_up and np.abs(rows - 1.0).max() > CLOSE:
        if np.abs(columns - 1.0).max() <= CLOSE:
            found.append("Your weights add up to 1 for each key, over the queries, and not for each query.")
        else:
            found.append(f"The weights of one query add up to between {rows.min():.2f} and {rows.max():.2f}, not to 1.")
    if negative := int((weights < -CLOSE).sum()):
        found.append(f"Of your {weights.size} weights {negative} are below 0.")
    if open_ := int(((right == 0) & (np.abs(weights) > CLOSE)).sum()):
        found.append(f"Keys that must not count have a weight in {open_} places.")
    if shut := int(((right > CLOSE) & (weights == 0)).sum()):
        found.append(f"Keys that must count have a weight of exactly 0 in {shut} places.")
    return found


def _of_outputs(draw: Draw) -> list[str]:
    """Return by how little, or by which one factor, all answers are off, in a sentence."""
    factors, farthest = [], 0.0
    for probe in draw.ordinary():
        output = _output(probe)
        is_usable = np.abs(probe.expected) > CLOSE
        if output is None or not is_usable.any():
            return []
        factors.append(output[is_usable] / probe.expected[is_usable])
        farthest = max(farthest, float(np.abs(output - probe.expected).max() / np.abs(probe.expected).max()))
    if CLOSE < farthest < ROUNDED:
        return [f"Your numbers are right to {int(-np.log10(farthest))} digits: look for rounding or a small constant."]
    every = np.concatenate(factors) if factors else np.ones(1)
    if np.ptp(every) > CLOSE * abs(every.mean()) or abs(every.mean() - 1.0) <= CLOSE:
        return []
    return [f"All your numbers are {short(every.mean())} times the right ones."]


def _slope(probe: Probe) -> Slope | None:
    """Return by what the scores were multiplied; None unless the weights are a softmax of the scores times a number."""
    weights, products = _output(probe), _products(probe)
    if weights is None or products is None or weights.shape != products.shape:
        return None
    counts = probe.expected > 0
    if (weights[counts] <= 0).any() or (weights[~counts] != 0).any() or not (counts.sum(axis=-1) > 1).any():
        return None
    own, residual = _fitted(weights, products, counts)
    right, _ = _fitted(probe.expected, products, counts)
    is_softmax = residual <= CLOSE and np.abs(weights.sum(axis=-1) - 1.0).max() <= CLOSE
    return Slope(own, right) if is_softmax else None


def _fitted(weights: Floats, products: Floats, counts: Numbers) -> tuple[float, float]:
    """Return the slope of the logarithms of the weights over the products, row by row, and how far off a line is."""
    logarithms = np.log(np.where(counts, weights, 1.0))
    ys, xs = (_centred(each, counts) for each in (logarithms, products))
    slope = float((xs * ys).sum() / (xs * xs).sum())
    return slope, float(np.abs(ys - slope * xs).max())


def _centred(values: Floats, counts: Numbers) -> Floats:
    means = np.where(counts, values, 0.0).sum(axis=-1, keepdims=True) / np.maximum(
        1, counts.sum(axis=-1, keepdims=True)
    )
    centred: Floats = np.where(counts, values - means, 0.0)
    return centred


def _products(probe: Probe) -> Floats | None:
    """Return the products of queries and keys in a call that begins with both as tables of one width."""
    arrays = probe.call.arrays
    if len(arrays) < 2 or any(each.ndim != 2 for each in arrays[:2]) or arrays[0].shape[1] != arrays[1].shape[1]:
        return None
    products: Floats = arrays[0] @ arrays[1].T
    return products


def _output(probe: Probe) -> Floats | None:
    """Return an answer of the right form and finite; None otherwise."""
    if not isinstance(probe.reply, Returned) or any(probe.fault_of_form()):
        return None
    output = probe.output()
    return output.astype(np.float64) if is_real(output) and np.isfinite(output).all() else None
