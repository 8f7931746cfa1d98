"""The message of what a program took: what is refused, and what the figures of a right and a costly program decide."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, replace
from types import SimpleNamespace

import numpy as np
import pytest

from grader.costs import Cost
from grader.judge.arrays import from_wire, to_wire
from grader.judge.costing import with_cost
from grader.judge.probing import Call
from grader.sandbox.replies import Cause, Died, Returned
from grader.sandbox.wire import Array
from grader.verdicts import CheckOutcome, CheckReport, Outcome, Verdict
from tests.judge.benches import bench

SLUG = "online-softmax"
MEGABYTE = 1024 * 1024
COST = Cost("tokens", (1024, 2048), (5, 9), (0.1, 0.2), (4, 8), (0.1, 0.2))
RIGHT = Verdict(Outcome.RIGHT, "All 9 checks hold.", (CheckReport("values", "", CheckOutcome.HOLDS),))


def message(**changes: object) -> dict[str, object]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(COST).items()} | changes


def test_cost_is_read_back_as_it_was_written() -> None:
    assert Cost.from_message(message()) == COST


@pytest.mark.parametrize(
    "changes",
    [
        {"lengths": [2048, 1024]},
        {"lengths": [1024]},
        {"memory_bytes": [5]},
        {"memory_bytes": [5, -1]},
        {"seconds": [0.1, 0.2, 0.3], "memory_bytes": [1, 2, 3]},
        {"counted": "<b>"},
        {"reference_seconds": [float("nan"), 0.2]},
    ],
)
def test_contradictory_cost_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="cost"):
        Cost.from_message(message(**changes))


class Measured:
    """A guest whose memory is known: what each length takes, in MB."""

    is_apart = True

    def __init__(self, sizes: dict[int, float], *, is_right: bool) -> None:
        self._sizes, self._held, self._is_right = sizes, 0.0, is_right

    def call(self, _function: str, arguments: tuple, **_: float) -> object:
        length = arguments[0].shape[0]
        if self._sizes.get(length, 0.0) < 0:
            return Died(Cause.TIME, "", is_all_calls=False)
        self._held += self._sizes.get(length, 0.0)
        answer = np.zeros(arguments[0].shape)
        if self._is_right:
            inputs = tuple(from_wire(given) if isinstance(given, Array) else given for given in arguments)
            places, expected = bench(SLUG).cost.spots(Call(inputs, ""))
            answer[places] = expected
        return Returned((to_wire(answer),), ("tensor",), False, (), 0.1)

    def high_water_bytes(self) -> int:
        return int(self._held * MEGABYTE)


def opener(theirs: dict[int, float], *, is_right: bool = True) -> Callable[[str], AbstractContextManager]:
    own = Measured({1024: 4.0, 2048: 8.0, 4096: 16.0}, is_right=True)
    return lambda source: nullcontext(Measured(theirs, is_right=is_right) if source == "theirs" else own)


@pytest.mark.parametrize(
    ("sizes", "outcome", "got"),
    [
        ({1024: 5, 2048: 10, 4096: 20}, Outcome.RIGHT, ""),
        ({1024: 5, 2048: 10, 4096: 49}, Outcome.RIGHT, ""),  # growth below what is noise
        ({1024: 5, 2048: 10, 4096: 51}, Outcome.WRONG, "41 MB more"),
        ({1024: 20, 2048: 70, 4096: 260}, Outcome.WRONG, "190 MB more"),
        ({1024: 2, 2048: 13, 4096: -1}, Outcome.RIGHT, ""),  # slow, and half as costly as a table of all scores
        ({1024: 2, 2048: 15, 4096: -1}, Outcome.WRONG, "13 MB more"),
        ({1024: 2, 2048: -1, 4096: -1}, Outcome.WRONG, "still running after 20 s at 2,048 tokens"),
    ],
)
def test_growth_between_the_last_two_lengths_decides(sizes: dict[int, float], outcome: Outcome, got: str) -> None:
    own = replace(bench(SLUG), exercise=replace(bench(SLUG).exercise, digest=str(sizes)))

    verdict = with_cost(own, RIGHT, "theirs", opener(sizes))

    assert (verdict.outcome, verdict.checks[-1].got) == (outcome, got)
    assert verdict.cost is not None and len(verdict.cost.memory_bytes) == sum(size >= 0 for size in sizes.values())
    assert (verdict.diagnosis is not None) == (got == "190 MB more")


def test_program_that_answers_something_else_at_great_lengths_is_found() -> None:
    verdict = with_cost(bench(SLUG), RIGHT, "theirs", opener({1024: 1, 2048: 1, 4096: 1}, is_right=False))

    assert (verdict.outcome, verdict.checks[-1].got) == (Outcome.WRONG, "another answer than before at 1,024 tokens")


def test_program_that_is_not_right_is_not_measured() -> None:
    wrong = replace(RIGHT, outcome=Outcome.WRONG)

    verdict = with_cost(bench(SLUG), wrong, "theirs", SimpleNamespace)

    assert verdict.checks[-1].outcome is CheckOutcome.NOT_REACHED and verdict.cost is None
