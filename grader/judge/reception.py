"""What happens to one order: it is read, its exercise is found, the source is judged, and the answers are handed on.

Celery-free, so it can be tried without a broker: `send` is whatever carries a message to the site.
"""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.exercises import Exercise
from grader.judge import faults
from grader.judge.folders import Bench, BrokenExercise, open_bench
from grader.judge.guests import Opener
from grader.judge.judging import judge, limits_from
from grader.messages import PROGRESS, VERDICT, GradeOrder, ProgressNote, VerdictNote
from grader.verdicts import CheckReport, Verdict

PROGRESS_SECONDS = 0.5  # one message per check could not carry a class; most submissions end before the first

Send = Callable[[str, dict[str, Any]], None]

logger = logging.getLogger(__name__)


@dataclass
class Reception:
    """Takes orders for the exercises that this judge has."""

    judge_name: str
    exercises: Mapping[str, Exercise]
    opener: Opener
    send: Send
    plain_opener: Opener | None = None  # for further runs, on the CPU; the opener itself where there is none
    cache: Path | None = None  # the folder for what takes long to work out about an exercise
    _benches: dict[str, Bench] = field(default_factory=dict)

    def take(self, message: object) -> None:
        """Judge what a message orders and send one verdict; a message that is no order is logged and dropped."""
        try:
            order = GradeOrder.from_message(message)
        except ValueError as error:
            logger.error("not an order: %s", error)
            return
        began = time.monotonic()
        try:
            verdict = self._verdict(order)
        except Exception as error:  # the task's boundary: a fault of ours must still end in a verdict
            logger.exception("submission %s: the judge failed", order.sent.submission)
            verdict = faults.operator(f"{type(error).__name__}: {error}")
        if verdict.reason:
            logger.error("submission %s: %s: %s", order.sent.submission, verdict.outcome.value, verdict.reason)
        facts = {
            "submission": order.sent.submission,
            "delivery": order.sent.delivery,
            "exercise": order.exercise,
            "verdict": verdict.outcome.value,
            "milliseconds": round((time.monotonic() - began) * 1000),
        }
        logger.info("submission judged", extra={"facts": facts})
        self.send(VERDICT, VerdictNote(order.sent, self.judge_name, verdict).to_message())

    def _verdict(self, order: GradeOrder) -> Verdict:
        exercise = self.exercises.get(order.exercise)
        if exercise is None:
            return faults.operator(f"this judge has no exercise {order.exercise}")
        if exercise.digest != order.exercise_digest:
            return faults.operator(f"the files of {order.exercise} differ between site and judge")
        try:
            bench = self._bench(exercise)
        except BrokenExercise as broken:
            return faults.broken_exercise(str(broken))
        return judge(
            bench,
            order.source,
            seed=order.seed,
            opener=self.opener,
            plain_opener=self.plain_opener,
            kind=order.kind,
            limits=limits_from(exercise.limits, order.limits),
            progress=_Progress(order, self.judge_name, self.send),
        )

    def _bench(self, exercise: Exercise) -> Bench:
        if exercise.slug not in self._benches:
            self._benches[exercise.slug] = open_bench(exercise, cache=self.cache)
        return self._benches[exercise.slug]


class _Progress:
    """Sends what is decided so far, but not too often."""

    def __init__(self, order: GradeOrder, judge_name: str, send: Send) -> None:
        self._order, self._judge_name, self._send = order, judge_name, send
        self._due = time.monotonic() + PROGRESS_SECONDS

    def __call__(self, reports: Callable[[], tuple[CheckReport, ...]]) -> None:
        if time.monotonic() < self._due:
            return
        self._send(PROGRESS, ProgressNote(self._order.sent, self._judge_name, reports()).to_message())
        self._due = time.monotonic() + PROGRESS_SECONDS
