"""What an exercise's `checks.py` builds on: the finding of a check, and the checks that every exercise needs.

A check looks at one draw and returns a finding. It never shows what was in a hidden input: only names, sizes, counts
and differences. Some functions here are checks as they stand; others return the check for the calls that are named.
Every draw has a call "plain", on which nothing is special, and the same one a second time, "again".
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from grader.exercises import Tolerance
from grader.judge.arrays import Floats, Numbers
from grader.judge.comparing import compare
from grader.judge.probing import Draw, Probe
from grader.judge.wording import coarse_in_words, listed, row, short

UNCHANGED = 1e-12  # where the same numbers enter a row, any correct program gets the same bits


@dataclass(frozen=True)
class Finding:
    """What a check found in one draw."""

    holds: bool
    expected: str = ""
    got: str = ""
    largest_difference: float | None = None
    tried_with: str = ""
    is_single_precision: bool = False


HOLDS = Finding(holds=True)

Check = Callable[[Draw], Finding]


def forms_hold(draw: Draw) -> Finding:
    """Find whether every answer is one array of real numbers of exactly the right shape."""
    for probe in draw:
        expected, got = probe.fault_of_form()
        if expected:
            return Finding(False, expected, got, tried_with=probe.tried_with)
    return HOLDS


def dtypes_hold(draw: Draw) -> Finding:
    """Find whether every answer has the dtype of what was passed: PyTorch exercises promise it, NumPy's do not."""
    for probe in draw:
        probe.output()  # another form is the fault of another check
        got = probe.returned().outputs[0].dtype
        if got != "float64":  # in which all but the calls of low precision are made
            return Finding(False, "float64", got, tried_with=probe.tried_with)
    return HOLDS


def inputs_hold(draw: Draw) -> Finding:
    """Find whether every call left its arguments as they were."""
    for probe in draw:
        changed = probe.changed_inputs()
        if changed:
            names = listed([draw.arguments[position] for position in changed])
            return Finding(False, "the inputs as they were given", f"{names} changed", tried_with=probe.tried_with)
    return HOLDS


def repeat_holds(draw: Draw, *, second: str = "again") -> Finding:
    """Find whether two calls with equal inputs, made at different moments, gave equal outputs."""
    first = draw["plain"]
    one, two = first.finite_output(), draw[second].finite_output()
    if np.array_equal(one, two):
        return HOLDS
    largest = float(np.abs(one.astype(np.float64) - two.astype(np.float64)).max())
    got = f"answers that differ by up to {short(largest)}"
    return Finding(False, "the same answer both times", got, largest, first.tried_with)


def values_of(*names: str) -> Check:
    """Return the check that the outputs of these calls are the reference's."""
    return lambda draw: values_hold([draw[name] for name in names], draw.tolerance)


def extremes_of(*names: str, tolerance: Tolerance, ordinary: Iterable[str] = ("plain",)) -> Check:
    """Return the check that these extreme calls give finite numbers, and the reference's.

    Values are compared only where those of ordinary calls are right: other mistakes have checks of their own.
    """

    def check(draw: Draw) -> Finding:
        for name in names:
            draw[name].finite_output()
        if not values_hold([draw[name] for name in ordinary], draw.tolerance).holds:
            return HOLDS
        return values_hold([draw[name] for name in names], tolerance)

    return check


def same_as(before: str, name: str, words: str, *, turned: Callable[[Numbers], Numbers] = np.asarray) -> Check:
    """Return the check that a call gives the output of an earlier one, or what `turned` makes of that output."""

    def check(draw: Draw) -> Finding:
        probe, plain = draw[name], draw[before].finite_output()
        return equal_hold(probe, probe.finite_output(), turned(plain), draw.tolerance, words)

    return check


def first_row_stays(before: str, name: str) -> Check:
    """Return the check that the first row of a call is that of an earlier one, the other tokens having changed."""

    def check(draw: Draw) -> Finding:
        probe, plain = draw[name], draw[before].finite_output()
        words = "the same first row as before"
        return equal_hold(probe, probe.finite_output()[0], plain[0], draw.tolerance, words)

    return check


def earlier_rows_stay(before: str, name: str, *, argument: int = 0) -> Check:
    """Return the check that rows before the first token that differs in an argument are the same to the last digit."""

    def check(draw: Draw) -> Finding:
        probe, plain = draw[name], draw[before].finite_output()
        kept = rows_kept(probe, draw[before], argument)
        change = float(np.abs(probe.finite_output()[:kept].astype(float) - plain[:kept].astype(float)).max())
        if change <= UNCHANGED:
            return HOLDS
        got = f"one of them changed by {short(change)}"
        return Finding(False, f"the same first {kept} rows as before", got, change, probe.tried_with)

    return check


def rows_kept(probe: Probe, before: Probe, argument: int) -> int:
    """Return how many rows of an argument are the same in two calls."""
    is_same = np.asarray(probe.call.inputs[argument]) == np.asarray(before.call.inputs[argument])
    return int(is_same.all(axis=-1).sum())


def one_row_changes(name: str, expected: str, got: str) -> Check:
    """Return the check that a call in which one token differs changes the rows of that token only.

    The texts have a place for the `token`, and for the `count` of tokens whose rows changed.
    """

    def check(draw: Draw) -> Finding:
        probe, plain = draw[name], draw["plain"]
        asked = _changed_rows(np.asarray(probe.call.inputs[0]), np.asarray(plain.call.inputs[0]))
        moved = _changed_rows(probe.finite_output(), plain.finite_output())
        if np.array_equal(moved, asked):
            return HOLDS
        return Finding(False, expected.format(token=asked[0]), got.format(count=len(moved)), None, probe.tried_with)

    return check


def places_hold(draw: Draw, place: Callable[..., str], origin: Callable[[int], str]) -> Finding:
    """Find whether labels, each of which says where it stood, end where they must; a wrong one is told in words."""
    probe = draw["labels"]
    output, expected = np.round(probe.finite_output()), probe.expected
    if np.array_equal(output, expected):
        return HOLDS
    first = tuple(np.argwhere(output != expected)[0])
    got = origin(int(output[first])) if output[first] in expected else "no number that came in"
    return Finding(False, f"{place(*first)}: {origin(int(expected[first]))}", got=got, tried_with=probe.tried_with)


def sums_of(rows: str) -> Check:
    """Return the check that weights sum to 1, which values of 1 show; the sums of a small call are listed."""
    return _sums(lambda output: (f"1.00 for each of the {len(output)} {rows}", row(output[:, 0])))


def sums_between(each: str) -> Check:
    """Return the check that weights sum to 1, which values of 1 show; the least and the largest sum are told."""
    return _sums(lambda output: (f"a sum of 1 for each {each}", f"sums from {output.min():.2f} to {output.max():.2f}"))


def values_hold(probes: Iterable[Probe], tolerance: Tolerance) -> Finding:
    """Find whether the outputs of these probes are the reference's."""
    findings = [
        _near(probe, probe.finite_output(), probe.expected, tolerance, "the reference’s numbers") for probe in probes
    ]
    return merged(findings)


def equal_hold(probe: Probe, got: Numbers, expected: Numbers, tolerance: Tolerance, words: str) -> Finding:
    """Find whether two arrays of one shape are equal where an exercise says that they must be.

    `expected` may be an output of the guest itself, as in "reordering the keys changes nothing".
    """
    return _near(probe, got, expected.astype(np.float64), tolerance, words)


def merged(findings: Iterable[Finding]) -> Finding:
    """Return the finding that differs most of those that fail, or one that holds."""
    every = list(findings)
    failing = [finding for finding in every if not finding.holds]
    if failing:
        return max(failing, key=lambda finding: finding.largest_difference or 0.0)
    return Finding(True, is_single_precision=any(finding.is_single_precision for finding in every))


def _near(probe: Probe, got: Numbers, expected: Floats, tolerance: Tolerance, words: str) -> Finding:
    comparison = compare(got, expected, tolerance)
    if comparison.holds:
        return Finding(True, is_single_precision=comparison.is_single_precision)
    text = "numbers that are not finite"
    if comparison.largest_difference is not None:
        count = f"{comparison.differing} of {comparison.total} numbers"
        text = f"{count} differ, by up to {short(comparison.largest_difference)}{coarse_in_words(got.dtype)}"
    return Finding(False, words, text, comparison.largest_difference, probe.tried_with)


def _sums(told: Callable[[Numbers], tuple[str, str]]) -> Check:
    def check(draw: Draw) -> Finding:
        probe = draw["ones"]
        found = values_hold([probe], draw.tolerance)
        if found.holds:
            return found
        expected, got = told(probe.finite_output())
        return replace(found, expected=expected, got=got)

    return check


def _changed_rows(one: Numbers, other: Numbers) -> NDArray[np.intp]:
    """Return the places on the last axis but one at which two arrays differ anywhere."""
    others = tuple(axis for axis in range(one.ndim) if axis != one.ndim - 2)
    return np.flatnonzero((one != other).any(axis=others))
