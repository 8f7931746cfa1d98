"""Reports of checks and examples, read off a trial. Decides each check; the verdict as a whole is `judging`'s."""

from decimal import Decimal

from grader.arguments import Example
from grader.exercises import Check
from grader.judge.checking import Finding, merged, values_hold
from grader.judge.folders import Bench, blaming_the_author
from grader.judge.probing import Draw, Probe, Unmet
from grader.judge.trying import Trial
from grader.judge.wording import as_text, storable
from grader.sandbox.replies import Returned
from grader.verdicts import CheckOutcome, CheckReport

# What each check that is read off a trial found in each of its draws, in the exercise's order.
Findings = tuple[tuple[Check, tuple[Finding | Unmet, ...]], ...]


def findings_of(bench: Bench, trial: Trial) -> Findings:
    """Try each check on each draw; none for a run of the examples. What a program costs is measured afterwards."""
    if not trial.draws:
        return ()
    tried = [check for check in bench.exercise.checks if check.id in bench.checks]
    return tuple((check, tuple(_found(bench, check, draw) for draw in trial.draws)) for check in tried)


def check_reports(trial: Trial, found: Findings) -> tuple[CheckReport, ...]:
    """Return a report on each check, in the exercise's order."""
    has_returned = any(isinstance(reply, Returned) for reply in trial.replies)
    reports = []
    for check, each in found:
        report = _over_draws(check, each)
        if report.outcome is CheckOutcome.FAILS and not has_returned and trial.first_raised():
            # Every call raised: the error says it once, and no check was really tried.
            report = CheckReport(check.id, check.title, CheckOutcome.NOT_REACHED)
        reports.append(report)
    return tuple(reports)


def example_reports(bench: Bench, trial: Trial) -> tuple[CheckReport, ...]:
    """Return a report on each visible example, with the numbers."""
    return tuple(_example_report(bench, example, probe) for example, probe in trial.examples)


def marks_fraction(bench: Bench, reports: tuple[CheckReport, ...]) -> str:
    """Return the share of the marks that the checks which hold are worth, with four places."""
    held = {report.check for report in reports if report.outcome is CheckOutcome.HOLDS}
    marks = sum((check.marks for check in bench.exercise.checks if check.id in held), Decimal(0))
    if any(report.outcome is CheckOutcome.FAILS for report in reports):
        # Some checks carry no marks, since an empty program passes them too; a wrong one is not given all for that.
        marks = min(marks, bench.exercise.marks - 1)
    return str((marks / bench.exercise.marks).quantize(Decimal("0.0001")))


def is_single_precision(found: Findings) -> bool:
    """Say whether some check holds only as well as float32 can."""
    return any(isinstance(one, Finding) and one.is_single_precision for _, each in found for one in each)


def _over_draws(check: Check, found: tuple[Finding | Unmet, ...]) -> CheckReport:
    """Return one report on a check that was tried on several draws: it holds if it holds on all."""
    findings = [finding for finding in found if isinstance(finding, Finding)]
    failing = [finding for finding in findings if not finding.holds]
    if failing:
        worst = merged(failing)
        return CheckReport(
            check=check.id,
            title=check.title,
            outcome=CheckOutcome.FAILS,
            expected=storable(worst.expected),
            got=storable(worst.got),
            largest_difference=worst.largest_difference,
            tried_with=storable(worst.tried_with, 300),
            hint=check.hint,
        )
    unmet = [finding for finding in found if isinstance(finding, Unmet)]
    failed = next((reason for reason in unmet if reason.outcome is CheckOutcome.FAILS), None)
    if failed:
        texts = storable(failed.expected), storable(failed.got)
        tried_with = storable(failed.tried_with, 300)
        return CheckReport(check.id, check.title, CheckOutcome.FAILS, *texts, None, tried_with, check.hint)
    return CheckReport(check.id, check.title, CheckOutcome.NOT_REACHED if unmet else CheckOutcome.HOLDS)


def _found(bench: Bench, check: Check, draw: Draw) -> Finding | Unmet:
    """Return what a check found in a draw, or why it could not be decided."""
    try:
        with blaming_the_author(f"{bench.exercise.slug}/checks.py, {check.id}"):
            return bench.checks[check.id](draw)
    except Unmet as unmet:
        # Through its traceback it would hold every frame that holds it, and with them all replies of the trial.
        return unmet.with_traceback(None)


def _example_report(bench: Bench, example: Example, probe: Probe) -> CheckReport:
    expected = as_text(probe.expected)
    try:
        form, got = probe.fault_of_form()
        if form:
            return CheckReport(example.id, example.title, CheckOutcome.FAILS, expected, storable(got))
        finding = values_hold([probe], bench.exercise.tolerance)
    except Unmet as unmet:
        shown = storable(unmet.got)
        if isinstance(probe.reply, Returned):
            shown = as_text(probe.output())
        return CheckReport(example.id, example.title, unmet.outcome, expected, shown)
    outcome = CheckOutcome.HOLDS if finding.holds else CheckOutcome.FAILS
    return CheckReport(
        check=example.id,
        title=example.title,
        outcome=outcome,
        expected=expected,
        got=as_text(probe.output()),
        largest_difference=finding.largest_difference,
    )
