"""A verdict survives its message, and nothing else that claims to be a verdict does."""

import json
from pathlib import Path
from typing import Any

import pytest

from grader.verdicts import (
    CheckOutcome,
    CheckReport,
    Counterexample,
    Diagnosis,
    ErrorReport,
    GivenMatrix,
    Outcome,
    Owner,
    Step,
    Verdict,
    Weights,
    Wording,
)


def a_verdict() -> Verdict:
    matrix = ((0.5, None), (0.25, 0.75))
    return Verdict(
        outcome=Outcome.WRONG,
        sentence="5 of 8 checks hold.",
        checks=(CheckReport("values", "The values are right", CheckOutcome.FAILS, "x", "y", 0.5, "4 queries", "Try."),),
        examples=(CheckReport("worked", "By hand", CheckOutcome.HOLDS),),
        diagnosis=Diagnosis(Wording.EXACT, "m03-no-scale", "It behaves exactly like no scale.", "Why.", "How."),
        error=ErrorReport("ValueError", "no", 7),
        remarks=("float32",),
        output="hello\n",
        seconds=1.5,
        marks_fraction="0.6250",
        weights=Weights(matrix, matrix),
        counterexample=Counterexample("Six.", (GivenMatrix("Q", matrix),), (Step("Score.", matrix, matrix, True),)),
        behaviour_signature="ab" * 32,
    )


def test_verdict_survives_its_message() -> None:
    verdict = a_verdict()

    sent = json.loads(json.dumps(verdict.to_message(), allow_nan=False))

    assert Verdict.from_message(sent) == verdict


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("outcome", "splendid"),
        ("outcome", 3),
        ("outcome", "right"),  # while a check fails
        ("outcome", "operator"),  # while marks are given
        ("sentence", "x" * 601),
        ("sentence", None),
        ("sentence", "null \0 character"),
        ("sentence", "lone \ud800 surrogate"),
        ("checks", {}),
        ("checks", [1]),
        ("checks.0.check", "../../etc/passwd"),
        ("checks.0.outcome", "true"),
        ("checks.0.largest_difference", float("nan")),
        ("checks.0.largest_difference", True),
        ("checks.0.largest_difference", -1),
        ("checks.0.largest_difference", 10**400),
        ("checks.0.title", ["<b>"]),
        ("checks.0.extra", 1),
        ("diagnosis.misconception", "M03 no scale"),
        ("diagnosis.wording", "none"),  # while a misconception is named
        ("diagnosis.misconception", ""),  # while the wording is exact
        ("error.line", 0),
        ("error.line", "7"),
        ("remarks", ["x"] * 17),
        ("remarks", [None]),
        ("output", "x" * (64 * 1024 + 1)),
        ("output_cut", 0),
        ("seconds", float("inf")),
        ("seconds", -0.1),
        ("marks_fraction", "1.5000"),
        ("marks_fraction", "NaN"),
        ("marks_fraction", 0.5),
        ("weights.theirs", []),
        ("weights.theirs", [[1.0], [1.0, 2.0]]),
        ("weights.theirs", [[float("nan")]]),
        ("weights.theirs", [["1"]]),
        ("weights.theirs", [[0.0] * 129]),
        ("weights.theirs", [[0.0]] * 129),
        ("counterexample.given.0.name", "Q; drop table"),
        ("counterexample.steps", [None]),
        ("behaviour_signature", "AB" * 32),
        ("unknown", 1),
    ],
)
def test_hostile_field_is_refused(path: str, value: Any) -> None:
    message = a_verdict().to_message()
    *parents, last = path.split(".")
    target: Any = message
    for step in parents:
        target = target[int(step)] if isinstance(target, list) else target[step]
    target[last] = value

    with pytest.raises(ValueError):
        Verdict.from_message(message)


@pytest.mark.parametrize("message", [None, [], "right", 7, {}, {1: 2}])
def test_message_that_is_no_verdict_is_refused(message: object) -> None:
    with pytest.raises(ValueError):
        Verdict.from_message(message)


def test_absent_field_is_refused() -> None:
    for name in a_verdict().to_message():
        message = a_verdict().to_message()
        del message[name]

        with pytest.raises(ValueError, match=name):
            Verdict.from_message(message)


def test_same_check_twice_is_refused() -> None:
    message = a_verdict().to_message()
    message["checks"] *= 2

    with pytest.raises(ValueError, match="twice"):
        Verdict.from_message(message)


def test_every_outcome_has_one_owner() -> None:
    owners = {outcome: outcome.owner for outcome in Outcome}

    assert owners.pop(Outcome.BROKEN_EXERCISE) is Owner.AUTHOR
    assert owners.pop(Outcome.OPERATOR) is Owner.OPERATOR
    assert set(owners.values()) == {Owner.LEARNER}


def test_operators_are_told_of_every_outcome():
    guide = (Path(__file__).parents[2] / "docs" / "operations.md").read_text()
    rows = [line for line in guide.splitlines() if line.startswith("| ")]

    assert [each.value for each in Outcome if not any(f"`{each.value}`" in row.split("|")[1] for row in rows)] == []
