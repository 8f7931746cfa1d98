"""Judging: one source in, one verdict out.

Decides the outcome and whose fault it is. The order is: the file loads, the answers have the right form, they are
finite, their values are right, and then what must be true of any right answer. Nothing that a guest says is believed
but the bytes of its outputs; an author's or operator's fault is a verdict too, and never costs the learner a mark.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace

from grader.exercises import Limits
from grader.judge import faults
from grader.judge.costing import with_cost
from grader.judge.counterexamples import counterexample
from grader.judge.diagnosing import Recognition, diagnose
from grader.judge.folders import Bench, BrokenExercise, blaming_the_author
from grader.judge.guests import Guest, Opener
from grader.judge.low_precision import with_low_precision
from grader.judge.proposing import propose
from grader.judge.reporting import (
    Findings,
    check_reports,
    example_reports,
    findings_of,
    is_single_precision,
    marks_fraction,
)
from grader.judge.trying import Trial, make_calls, plan
from grader.judge.wording import as_matrix, printed_text
from grader.messages import SOURCE_LIMIT, Kind
from grader.sandbox.limits import Limits as SandboxLimits
from grader.sandbox.replies import Died, Loaded, Missing, SandboxUnavailable, ZygoteGone
from grader.untrusted import MATRIX_SIDE
from grader.verdicts import OUTPUT_LIMIT, CheckOutcome, CheckReport, Outcome, Verdict, Weights

Door = Callable[[str], AbstractContextManager[Guest]]
Progress = Callable[[Callable[[], tuple[CheckReport, ...]]], None]

SINGLE_PRECISION = "Correct, but your numbers dropped to float32 on the way; look for a conversion or a constant."


def no_progress(reports: Callable[[], tuple[CheckReport, ...]]) -> None:
    """Tell nobody how far the judging is."""
    del reports


def judge(
    bench: Bench,
    source: str,
    *,
    seed: int,
    opener: Opener,
    plain_opener: Opener | None = None,
    kind: Kind = Kind.SUBMIT,
    limits: Limits | None = None,
    progress: Progress = no_progress,
) -> Verdict:
    """Return the verdict on a source. `progress` is called after every call with a function that makes the reports.

    `plain_opener` opens the guests of further runs, which are on the CPU everywhere: only there can memory be seen from
    outside, and a verdict is to be the same with and without a device.

    Limits:  the exercise's own unless others are given; the guest's clock keeps them
    """
    started = time.monotonic()
    limits = limits or bench.exercise.limits
    try:
        source = source.removeprefix("\ufeff")  # a mark that some editors put before the text
        if not source.strip() or len(source) > SOURCE_LIMIT or "\0" in source:
            verdict = faults.refused()
        else:
            doors = _door(bench, limits, opener), _door(bench, limits, plain_opener or opener)
            verdict = _judge_twice_if_lost(bench, source, seed, doors, kind, limits, progress)
    except BrokenExercise as broken:
        verdict = faults.broken_exercise(str(broken))
    except SandboxUnavailable as unavailable:
        verdict = faults.operator(unavailable.reason)
    return replace(verdict, seconds=round(time.monotonic() - started, 3))


def _door(bench: Bench, limits: Limits, opener: Opener) -> Door:
    """Return what opens a guest of this exercise around a source."""
    return lambda source: opener(
        source=source,
        filename=bench.exercise.filename,
        library="numpy" if bench.exercise.library == "numpy" else "pytorch",
        limits=_sandbox_limits(limits),
        adapter=bench.adapter,
    )


def _judge_twice_if_lost(
    bench: Bench, source: str, seed: int, doors: tuple[Door, Door], kind: Kind, limits: Limits, progress: Progress
) -> Verdict:
    """Judge in a guest, and in another one if the process that it was forked from ended under it."""
    attempts = 2
    open_guest, open_plain = doors
    while True:
        attempts -= 1
        try:
            with open_guest(source) as guest:
                # While the guest seals itself; anew, since a trial fills with replies, and by the seed the same one.
                trial = plan(bench, seed, examples_only=kind is Kind.RUN)
                verdict = _with_output(_judge_guest(bench, guest, source, trial, limits, progress), guest)
            verdict = with_low_precision(bench, verdict, source, seed, open_plain)
            return with_cost(bench, verdict, source, open_plain)
        except ZygoteGone:
            if not attempts:
                raise


def limits_from(own: Limits, asked: Mapping[str, float]) -> Limits:
    """Return the exercise's limits with those that the site asks for instead; ValueError for a name that is none."""
    unknown = set(asked) - set(own.to_message())
    if unknown:
        raise ValueError(f"no such limits: {', '.join(sorted(unknown))}")
    numbers = own.to_message() | dict(asked)
    return Limits(
        call_seconds=numbers["call_seconds"],
        total_seconds=numbers["total_seconds"],
        memory_bytes=int(numbers["memory_bytes"]),
        output_bytes=int(numbers["output_bytes"]),
        reason=own.reason,
    )


def _judge_guest(bench: Bench, guest: Guest, source: str, trial: Trial, limits: Limits, progress: Progress) -> Verdict:
    loaded = guest.load()
    if isinstance(loaded, Died):
        return faults.died(loaded, limits, faults.LOADING)
    if not isinstance(loaded, Loaded):
        return faults.raised_while_loading(loaded, limits, source)

    def so_far() -> tuple[CheckReport, ...]:
        return check_reports(trial, findings_of(bench, trial)) if trial.draws else example_reports(bench, trial)

    make_calls(guest, trial, bench.exercise.function, lambda: progress(so_far))
    findings = findings_of(bench, trial)
    checks, examples = check_reports(trial, findings), example_reports(bench, trial)
    last = trial.replies[-1]
    if isinstance(last, Missing):
        return faults.missing(last, bench.exercise.opening)
    if isinstance(last, Died):
        # Calls come in random order, so which checks were reached is chance: none of them earns a mark.
        last_probe = trial.probes[len(trial.replies) - 1]
        verdict = faults.died(last, limits, faults.calling(last_probe))
        return replace(verdict, checks=checks, examples=examples)
    verdict = _decided(bench, trial, checks, examples, limits)
    if not trial.draws:
        return verdict
    found = None if verdict.outcome is Outcome.RIGHT else _diagnosed(bench, trial)
    return replace(
        verdict,
        marks_fraction=marks_fraction(bench, checks),
        diagnosis=found.diagnosis if found else None,
        counterexample=counterexample(bench, found.mistakes, guest) if found else None,
        weights=_weights(bench, trial),
        behaviour_signature=trial.signature(),
        remarks=verdict.remarks + _remarks(verdict.outcome, findings),
    )


def _decided(
    bench: Bench, trial: Trial, checks: tuple[CheckReport, ...], examples: tuple[CheckReport, ...], limits: Limits
) -> Verdict:
    """Return the outcome of a trial whose calls were all made."""
    if raised := trial.first_raised():
        return replace(faults.raised(*raised, trial.replies, limits), checks=checks, examples=examples)
    tried = checks or examples
    word = "checks" if checks else "examples"
    failing = {report.check for report in checks + examples if report.outcome is not CheckOutcome.HOLDS}
    if not failing:
        return Verdict(Outcome.RIGHT, f"All {len(tried)} {word} hold.", checks, examples)
    fragile = {check.id: check for check in bench.exercise.checks if check.is_fragile}
    if failing <= set(fragile):
        first = next(report for report in checks if report.check in failing)
        sentence = f"The values hold; this check does not: {first.title[0].lower()}{first.title[1:]}."
        return Verdict(Outcome.FRAGILE, sentence, checks, examples)
    held = sum(report.outcome is CheckOutcome.HOLDS for report in tried)
    return Verdict(Outcome.WRONG, f"{held} of {len(tried)} {word} hold.", checks, examples)


def _diagnosed(bench: Bench, trial: Trial) -> Recognition | None:
    with blaming_the_author(f"{bench.exercise.slug}/switches.py"):
        rules = propose(bench, trial.fixed_draw) if trial.fixed_draw else []
        return diagnose(bench, trial.draws, rules)


def _remarks(outcome: Outcome, findings: Findings) -> tuple[str, ...]:
    """Return what is worth saying of a program whose values are right."""
    has_right_values = outcome in (Outcome.RIGHT, Outcome.FRAGILE)
    return (SINGLE_PRECISION,) if has_right_values and is_single_precision(findings) else ()


def _weights(bench: Bench, trial: Trial) -> Weights | None:
    """Return the weights that the program uses beside the reference's, read off by passing the identity as values."""
    if not bench.weights_probe:
        return None
    probe = trial.draws[0][bench.weights_probe]
    expected, _ = probe.fault_of_form() if probe.has_answered() else ("an answer", "")
    if expected or max(probe.expected.shape) > MATRIX_SIDE:
        return None
    return Weights(theirs=as_matrix(probe.output()), reference=as_matrix(probe.expected))


def _with_output(verdict: Verdict, guest: Guest) -> Verdict:
    if verdict.outcome is Outcome.MEMORY:
        verdict = faults.measured(verdict, guest.peak_bytes())
    text, is_cut = printed_text(guest.output(), OUTPUT_LIMIT)
    return replace(verdict, output=text, output_cut=is_cut)


def _sandbox_limits(limits: Limits) -> SandboxLimits:
    return SandboxLimits(
        wall_seconds=limits.call_seconds,
        total_seconds=limits.total_seconds,
        memory_bytes=limits.memory_bytes,
        output_bytes=limits.output_bytes,
    )
