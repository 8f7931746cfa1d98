"""Keeps what checks reported as rows, one for each check or example of a submission."""

import uuid
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from courseware.statements import Change, Given, Statement
from grader.models import CheckResult, Submission
from grader.verdicts import CheckReport

# The columns of a report, and what their values are; `check_id` and `outcome` need a word of translation.
_GIVEN: dict[str, type] = {
    "check_id": str,
    "title": str,
    "outcome": str,
    "expected": str,
    "got": str,
    "largest_difference": float,
    "tried_with": str,
    "hint": str,
}
_ANY: Statement[tuple[int]] = Statement(
    lambda: CheckResult.objects.filter(submission=Given("submission", uuid.UUID)).order_by().values_list("pk")[:1]
)


def keep_so_far(
    submission: Submission, *, checks: Sequence[CheckReport] = (), examples: Sequence[CheckReport] = ()
) -> None:
    """Keep one row per report; a later report of the same check replaces the earlier one."""
    groups = ((_once(checks), False), (_once(examples), True))
    CheckResult.objects.bulk_create(
        [
            CheckResult(submission=submission, is_example=is_example, position=position, **_columns(report))
            for reports, is_example in groups
            for position, report in enumerate(reports, start=1)
        ],
        update_conflicts=True,
        unique_fields=["submission", "is_example", "check_id"],
        update_fields=["position", *(name for name in _GIVEN if name != "check_id")],
    )


def write_results(submission: Submission, *, checks: Sequence[CheckReport], examples: Sequence[CheckReport]) -> None:
    """Keep one row per report, in place of what was kept while the judge was at work, which most are too short for."""
    if _ANY.rows(submission=submission.pk):
        submission.results.all().delete()
    checks, examples = _once(checks), _once(examples)
    given: dict[str, Any] = {"submission": submission.pk}
    for place, report in enumerate((*checks, *examples)):
        given |= {f"{name}{place}": value for name, value in _columns(report).items()}
    if checks or examples:
        _insertion(len(checks), len(examples)).run(**given)


@lru_cache
def _insertion(checks: int, examples: int) -> Change:
    """Return the statement that inserts so many reports of one submission."""
    places = [(position, False) for position in range(1, checks + 1)]
    places += [(position, True) for position in range(1, examples + 1)]
    return Change(
        lambda: [
            CheckResult(  # type: ignore[misc]  # that a UUID may be an expression too is unknown to the stubs
                submission_id=Given("submission", uuid.UUID),
                is_example=is_example,
                position=position,
                **{name: Given(f"{name}{place}", kind) for name, kind in _GIVEN.items()},
            )
            for place, (position, is_example) in enumerate(places)
        ]
    )


def _once(reports: Iterable[CheckReport]) -> list[CheckReport]:
    return list({report.check: report for report in reports}.values())  # one named twice counts as it was named last


def _columns(report: CheckReport) -> dict[str, Any]:
    renamed = {"check_id": report.check, "outcome": report.outcome.value}
    return {name: renamed[name] if name in renamed else getattr(report, name) for name in _GIVEN}
