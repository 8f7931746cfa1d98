"""What an exercise's `checks.py` builds on: the finding of a check, and the checks that every exercise needs.

A check looks at one draw and returns a finding. It never shows what was in a hidden input: only names, sizes, counts
and differences.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from grader.exercises import Tolerance
from grader.judge.arrays import Floats, Numbers
from grader.judge.comparing import compare
from grader.judge.probing import Draw, Probe
from grader.judge.wording import short


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


def forms_hold(draw: Draw) -> Finding:
    """Find whether every answer is one array of real numbers of exactly the right shape."""
    for probe in draw:
        expected, got = probe.fault_of_form()
        if expected:
            return Finding(False, expected, got, tried_with=probe.tried_with)
    return HOLDS


def dtypes_hold(draw: Draw, dtype: str) -> Finding:
    """Find whether every answer has the dtype that is promised: PyTorch exercises promise one, NumPy's do not."""
    for probe in draw:
        probe.output()  # another form is the fault of another check
        got = probe.returned().outputs[0].dtype
        if got != dtype:
            return Finding(False, dtype, got, tried_with=probe.tried_with)
    return HOLDS


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


def inputs_hold(draw: Draw) -> Finding:
    """Find whether every call left its arguments as they were."""
    for probe in draw:
        changed = probe.changed_inputs()
        if changed:
            places = " and ".join(f"argument {position + 1}" for position in changed)
            return Finding(False, "the inputs as they were given", f"{places} changed", tried_with=probe.tried_with)
    return HOLDS


def repeat_holds(first: Probe, second: Probe) -> Finding:
    """Find whether two calls with equal inputs, made at different moments, gave equal outputs."""
    one, two = first.finite_output(), second.finite_output()
    if np.array_equal(one, two):
        return HOLDS
    largest = float(np.abs(one.astype(np.float64) - two.astype(np.float64)).max())
    got = f"answers that differ by up to {short(largest)}"
    return Finding(False, "the same answer both times", got, largest, first.tried_with)


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
        text = f"{count} differ, by up to {short(comparison.largest_difference)}"
    return Finding(False, words, text, comparison.largest_difference, probe.tried_with)
