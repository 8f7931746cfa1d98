"""The four messages between site and judge survive the journey; anything else is refused."""

import json
from typing import Any

import pytest

from grader.messages import Delivery, GradeOrder, JudgeAlive, Kind, ProgressNote, VerdictNote
from grader.verdicts import CheckOutcome, CheckReport, Outcome, Verdict

SENT = Delivery("0b0f4c1e-1111-4222-8333-444455556666", 1, "0123456789abcdef" * 2)
ORDER = GradeOrder(SENT, "attention", "ab" * 32, "x = 1", 2**63 - 1, {"total_seconds": 20.0}, ("cpu",), Kind.SUBMIT)
PROGRESS = ProgressNote(SENT, "judge-1", (CheckReport("values", "Values", CheckOutcome.HOLDS),))
VERDICT = VerdictNote(SENT, "judge-1", Verdict(Outcome.OPERATOR, "The grader lost its device.", reason="no sandbox"))
ALIVE = JudgeAlive("judge-1", "full", "all held", "cpu", (("numpy", "2.0"),), "cd" * 32, ("numpy",), None)


@pytest.mark.parametrize("message", [ORDER, PROGRESS, VERDICT, ALIVE], ids=lambda message: type(message).__name__)
def test_message_survives_the_journey(message: Any) -> None:
    sent = json.loads(json.dumps(message.to_message(), allow_nan=False))

    assert type(message).from_message(sent) == message


@pytest.mark.parametrize(
    ("message", "name", "value"),
    [
        (ORDER, "submission", "1"),
        (ORDER, "delivery", 0),
        (ORDER, "delivery", True),
        (ORDER, "ticket", "z" * 32),
        (ORDER, "exercise", "../attention"),
        (ORDER, "exercise_digest", ""),
        (ORDER, "source", "x" * 70_000),
        (ORDER, "seed", -1),
        (ORDER, "seed", 2**63),
        (ORDER, "limits", {"total_seconds": "20"}),
        (ORDER, "kind", "regrade"),
        (PROGRESS, "checks", "holds"),
        (PROGRESS, "judge", 3),
        (VERDICT, "verdict", None),
        (ALIVE, "versions", {"numpy": 2}),
        (ALIVE, "refusal", ["no"]),
        (ALIVE, "password", "hunter2"),
    ],
)
def test_hostile_field_is_refused(message: Any, name: str, value: Any) -> None:
    sent = message.to_message() | {name: value}

    with pytest.raises(ValueError):
        type(message).from_message(sent)
