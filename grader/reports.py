"""Keeps what checks reported as rows, one for each check or example of a submission."""

from collections.abc import Iterable, Sequence

from grader.models import CheckResult, Submission
from grader.verdicts import CheckReport


def write_results(
    submission: Submission, *, checks: Sequence[CheckReport] = (), examples: Sequence[CheckReport] = ()
) -> None:
    """Keep one row per report; a later report of the same check replaces the earlier one."""
    rows = [*_results(submission, checks, is_example=False), *_results(submission, examples, is_example=True)]
    CheckResult.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["submission", "is_example", "check_id"],
        update_fields=["position", "title", "outcome", "expected", "got", "largest_difference", "tried_with", "hint"],
    )


def _results(submission: Submission, reports: Iterable[CheckReport], *, is_example: bool) -> list[CheckResult]:
    by_id = {report.check: report for report in reports}  # a progress note may name a check twice; the last one counts
    return [
        CheckResult(
            submission=submission,
            is_example=is_example,
            position=position,
            check_id=report.check,
            title=report.title,
            outcome=report.outcome.value,
            expected=report.expected,
            got=report.got,
            largest_difference=report.largest_difference,
            tried_with=report.tried_with,
            hint=report.hint,
        )
        for position, report in enumerate(by_id.values(), start=1)
    ]
