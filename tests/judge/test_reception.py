"""An order that a judge takes ends in one verdict for the same delivery, whatever goes wrong."""

import dataclasses
from typing import Any

import pytest

from grader.judge import reception as reception_module
from grader.judge.guests import TrustedGuest, open_trusted
from grader.judge.reception import Reception
from grader.messages import Delivery, GradeOrder, Kind, ProgressNote, VerdictNote
from grader.sandbox.replies import SandboxUnavailable
from grader.verdicts import CheckOutcome, Outcome
from tests.judge.benches import attention, style

SENT = Delivery("0b0f4c1e-1111-4222-8333-444455556666", 2, "0123456789abcdef" * 2)


def an_order(**changes: Any) -> dict[str, Any]:
    exercise = attention().exercise
    order = GradeOrder(
        sent=SENT,
        exercise=exercise.slug,
        exercise_digest=exercise.digest,
        source=style("products"),
        seed=7,
        limits=exercise.limits.to_message(),
        stages=("cpu",),
        kind=Kind.SUBMIT,
    )
    return order.to_message() | changes


class Desk:
    """A reception and what it sent."""

    def __init__(self, opener: Any = open_trusted) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []
        exercises = {"attention": attention().exercise}
        self.reception = Reception("judge-1", exercises, opener, lambda task, note: self.sent.append((task, note)))

    def verdict(self, message: object) -> VerdictNote:
        self.reception.take(message)
        notes = [VerdictNote.from_message(note) for task, note in self.sent if task == "recorder.verdict"]
        assert len(notes) == 1
        return notes[0]


def test_order_is_answered_with_its_own_delivery() -> None:
    note = Desk().verdict(an_order())

    assert (note.sent, note.judge, note.verdict.outcome) == (SENT, "judge-1", Outcome.RIGHT)


def test_quick_submission_sends_no_progress() -> None:
    desk = Desk()

    desk.verdict(an_order())

    assert [task for task, _ in desk.sent] == ["recorder.verdict"]


@pytest.mark.parametrize("kind", ["run", "submit"])
def test_slow_submission_sends_what_is_decided_so_far(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(reception_module, "PROGRESS_SECONDS", 0.0)
    desk = Desk()

    desk.verdict(an_order(kind=kind))

    notes = [ProgressNote.from_message(note) for task, note in desk.sent if task == "recorder.progress"]
    assert notes[-1].sent == SENT
    assert {report.outcome for report in notes[-1].checks} == {CheckOutcome.HOLDS}
    assert (notes[0].checks[0].check == "one-query") == (kind == "run")


def test_progress_keeps_its_distance(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(1000))
    monkeypatch.setattr(reception_module, "PROGRESS_SECONDS", 10.0)
    monkeypatch.setattr(reception_module.time, "monotonic", lambda: float(next(clock)))
    desk = Desk()

    desk.verdict(an_order())

    assert 1 <= sum(task == "recorder.progress" for task, _ in desk.sent) <= next(clock) / 10


@pytest.mark.parametrize("message", [None, {}, {"submission": "x"}, an_order(seed="7"), an_order(extra=1)])
def test_message_that_is_no_order_is_dropped(message: object) -> None:
    desk = Desk()

    desk.reception.take(message)

    assert desk.sent == []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"exercise": "no-such"}, "no exercise no-such"),
        ({"exercise_digest": "0" * 64}, "differ between site and judge"),
        ({"limits": {"cores": 8.0}}, "cores"),
    ],
)
def test_order_that_does_not_fit_this_judge_is_the_operators_fault(changes: dict[str, Any], reason: str) -> None:
    note = Desk().verdict(an_order(**changes))

    assert note.verdict.outcome is Outcome.OPERATOR
    assert reason in note.verdict.reason


def test_sandbox_that_fails_is_the_operators_fault() -> None:
    def closed(**_: object) -> TrustedGuest:
        raise SandboxUnavailable("the uid cannot read its packages")

    note = Desk(closed).verdict(an_order())

    assert (note.verdict.outcome, note.verdict.reason) == (Outcome.OPERATOR, "the uid cannot read its packages")


def test_fault_of_the_judge_itself_still_ends_in_a_verdict() -> None:
    def failing(**_: object) -> TrustedGuest:
        raise RuntimeError("a mistake of ours")

    note = Desk(failing).verdict(an_order())

    assert note.verdict.outcome is Outcome.OPERATOR
    assert "a mistake of ours" in note.verdict.reason


def test_exercise_whose_python_is_broken_is_the_authors_fault(tmp_path) -> None:
    for source in attention().exercise.folder.iterdir():
        (tmp_path / source.name).write_bytes(source.read_bytes())
    (tmp_path / "checks.py").write_text("raise RuntimeError")
    desk = Desk()
    desk.reception.exercises = {"attention": dataclasses.replace(attention().exercise, folder=tmp_path)}

    note = desk.verdict(an_order())

    assert note.verdict.outcome is Outcome.BROKEN_EXERCISE
