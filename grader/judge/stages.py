"""Checks that are decided after all others, by further runs of the program: a verdict with one more report.

Owns what such a report does to outcome, sentence and marks. It must not know what was measured.
"""

from dataclasses import replace

from grader.exercises import Check
from grader.judge.folders import Bench
from grader.judge.reporting import marks_fraction
from grader.verdicts import CheckOutcome, CheckReport, Outcome, Verdict


def check_of(bench: Bench, check_id: str) -> Check:
    return next(check for check in bench.exercise.checks if check.id == check_id)


def is_reached(verdict: Verdict) -> bool:
    """Say whether all that the program returned is right: only then is it worth running again."""
    return verdict.outcome in (Outcome.RIGHT, Outcome.FRAGILE)


def with_report(bench: Bench, verdict: Verdict, report: CheckReport) -> Verdict:
    """Return the verdict with one more check reported."""
    checks = (*verdict.checks, report)
    marks = marks_fraction(bench, checks) if is_reached(verdict) else verdict.marks_fraction
    reported = replace(verdict, checks=checks, marks_fraction=marks)
    if not is_reached(verdict):
        return reported
    if report.outcome is CheckOutcome.HOLDS:
        is_right = verdict.outcome is Outcome.RIGHT
        return replace(reported, sentence=f"All {len(checks)} checks hold.") if is_right else reported
    outcome = Outcome.FRAGILE if check_of(bench, report.check).is_fragile else Outcome.WRONG
    sentence = f"The values hold; this check does not: {report.title[0].lower()}{report.title[1:]}."
    return replace(reported, outcome=outcome, sentence=sentence)
