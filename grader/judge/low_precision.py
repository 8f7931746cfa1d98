"""Low precision: a right program run once more on float16 and bfloat16, its error beside that of the plain way.

Inputs are rounded once, and what is right is computed in float64 from the rounded ones, so that only the error of the
computation counts. The plain way runs first, in a guest of its own. All of it runs on the CPU too, so that a verdict is
the same with and without a device.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

import numpy as np

from grader.arguments import Plain
from grader.judge.arrays import from_wire, rounded_to_wire
from grader.judge.faults import MESSAGE_SHOWN
from grader.judge.folders import Bench, blaming_the_author
from grader.judge.guests import Guest
from grader.judge.precision_rules import CHECK, FORMATS, Format
from grader.judge.probing import Call, Probe, Unmet
from grader.judge.stages import check_of, is_reached, with_report
from grader.judge.wording import short, storable, without_our_places
from grader.sandbox.replies import Raised
from grader.sandbox.wire import Array
from grader.verdicts import CheckOutcome, CheckReport, Verdict

Open = Callable[[str], AbstractContextManager[Guest]]


@dataclass(frozen=True)
class Rounded:
    """A call in one format: what is sent, and the right answer to what is sent."""

    format: Format
    arguments: tuple[Array | Plain, ...]
    probe: Probe

    @property
    def tried_with(self) -> str:
        return f"{self.probe.call.tried_with}, {self.format.dtype}"

    def error(self, bench: Bench, guest: Guest) -> float:
        """Return the largest error of a program's answer; Unmet where it has none of the right form."""
        self.probe.reply = guest.call(bench.exercise.function, self.arguments)
        expected, got = self.probe.fault_of_form()
        if expected:
            raise Unmet(CheckOutcome.FAILS, expected=expected, got=got)
        dtype = self.probe.returned().outputs[0].dtype
        if dtype != self.format.dtype:
            raise Unmet(CheckOutcome.FAILS, expected=self.format.dtype, got=dtype)
        return float(np.abs(self.probe.finite_output().astype(np.float64) - self.probe.expected).max(initial=0.0))


def with_low_precision(bench: Bench, verdict: Verdict, source: str, seed: int, open_guest: Open) -> Verdict:
    """Return a verdict with the check of low precision decided: tried where everything else that counts is right."""
    if bench.precision is None or not verdict.checks:
        return verdict
    check = check_of(bench, CHECK)
    report = CheckReport(CHECK, check.title, CheckOutcome.NOT_REACHED)
    if not is_reached(verdict):
        return with_report(bench, verdict, report)
    calls = _rounded_calls(bench, seed)
    with open_guest(bench.precision.naive) as guest:
        if not guest.is_apart:  # it has none of the library's formats, and that is never the learner's loss
            return with_report(bench, verdict, replace(report, outcome=CheckOutcome.HOLDS))
        with blaming_the_author(f"{bench.exercise.slug}/naive.py"):
            try:
                allowed = [each.format.allowed(each.error(bench, guest)) for each in calls]
            except Unmet as unmet:
                raise ValueError(f"{unmet.got or 'no answer'} instead of {unmet.expected}") from unmet
    with open_guest(source) as guest:
        for each, limit in zip(calls, allowed, strict=True):
            failing = replace(report, outcome=CheckOutcome.FAILS, tried_with=each.tried_with, hint=check.hint)
            try:
                error = each.error(bench, guest)
            except Unmet as unmet:
                expected, got = unmet.expected or "an answer", unmet.got or "none"
                if isinstance(each.probe.reply, Raised):  # such as a number that this format cannot hold
                    got = f"{got}: {storable(without_our_places(each.probe.reply.message), MESSAGE_SHOWN)}"
                return with_report(bench, verdict, replace(failing, expected=expected, got=got))
            if error > limit:
                words = f"an error of at most {short(limit)}", f"an error of {short(error)}"
                found = replace(failing, expected=words[0], got=words[1], largest_difference=error)
                return with_report(bench, verdict, found)
    return with_report(bench, verdict, replace(report, outcome=CheckOutcome.HOLDS))


def _rounded_calls(bench: Bench, seed: int) -> list[Rounded]:
    assert bench.precision is not None  # asked only where there is a rule
    random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(len(CHECK),)))
    with blaming_the_author(f"{bench.exercise.slug}/precision.py"):
        calls = list(bench.precision.calls(random))
    return [_rounded(bench, call, format_) for format_ in FORMATS for call in calls]


def _rounded(bench: Bench, call: Call, format_: Format) -> Rounded:
    sent = tuple(
        rounded_to_wire(given, format_.dtype) if isinstance(given, np.ndarray) else given for given in call.inputs
    )
    widened = tuple(from_wire(each).astype(np.float64) if isinstance(each, Array) else each for each in sent)
    return Rounded(format_, sent, bench.probe(replace(call, inputs=widened)))
