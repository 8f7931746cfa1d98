"""The judge's worker against a real broker, in a process of its own: it reports itself, judges, and answers."""

import contextlib
import os
import signal
import subprocess
import sys
import sysconfig
import time
import venv
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from celery import Celery

from grader.exercises import exercises_digest
from grader.messages import GRADE, INTERACTIVE_QUEUE, Delivery, GradeOrder, JudgeAlive, Kind, VerdictNote
from grader.transport import celery_options
from grader.verdicts import Outcome
from tests.judge.benches import attention, exercises, wrong

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 60.0

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]


class Site:
    """The site's end of the broker: sends orders and reads what comes for the recorder."""

    def __init__(self, var_path: Path) -> None:
        self.app = Celery("site", set_as_current=False)
        self.app.conf.update(celery_options("filesystem://", var_path, side="site"))

    def send(self, **changes: Any) -> GradeOrder:
        exercise = attention().exercise
        order = GradeOrder(
            sent=Delivery("0b0f4c1e-1111-4222-8333-444455556666", 1, "0123456789abcdef" * 2),
            exercise=exercise.slug,
            exercise_digest=exercise.digest,
            source=wrong("softmax-over-queries"),
            seed=7,
            limits=exercise.limits.to_message(),
            stages=("cpu",),
            kind=Kind.SUBMIT,
        )
        self.app.send_task(GRADE, args=[order.to_message() | changes], queue=INTERACTIVE_QUEUE)
        return order

    def next(self, task: str) -> dict[str, Any]:
        """Return the next message of a task, dropping others; TimeoutError if none comes."""
        until = time.monotonic() + PATIENCE_SECONDS
        with self.app.connection_for_read() as connection, connection.SimpleQueue("recorder") as queue:
            while time.monotonic() < until:
                with contextlib.suppress(Empty):
                    message = queue.get(timeout=0.5)
                    message.ack()
                    if message.headers["task"] == task:
                        return message.payload[0][0]
        raise TimeoutError(f"no {task} within {PATIENCE_SECONDS} s")


@contextlib.contextmanager
def judge_at_work(
    var_path: Path, python: str = sys.executable, **environment: str
) -> Iterator[subprocess.Popen[bytes]]:
    judge = subprocess.Popen(
        [python, "-m", "grader.judge.serve", "-Q", INTERACTIVE_QUEUE, "-c", "1", "--loglevel", "ERROR"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "VAR_PATH": str(var_path), "JUDGE_NAME": "judge-7"} | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        yield judge
    finally:
        judge.send_signal(signal.SIGTERM)
        try:
            judge.wait(timeout=20)
        except subprocess.TimeoutExpired:
            judge.kill()
            judge.wait()
        assert judge.stderr is not None
        judge.stderr.close()


def test_judge_reports_itself_and_answers_an_order(tmp_path: Path) -> None:
    site = Site(tmp_path)
    with judge_at_work(tmp_path):
        alive = JudgeAlive.from_message(site.next("recorder.judge_alive"))
        order = site.send()
        note = VerdictNote.from_message(site.next("recorder.verdict"))

    assert (alive.judge, alive.rung, alive.refusal, alive.device) == ("judge-7", "bubblewrap", None, "cpu")
    assert alive.exercises_digest == exercises_digest(exercises().values())
    assert {"python", "numpy", "celery"} <= dict(alive.versions).keys()
    assert (note.sent, note.judge, note.verdict.outcome) == (order.sent, "judge-7", Outcome.WRONG)
    assert note.verdict.diagnosis is not None
    assert note.verdict.diagnosis.misconception == "m03-softmax-columns"


def test_judge_outlives_an_order_that_is_none(tmp_path: Path) -> None:
    site = Site(tmp_path)
    with judge_at_work(tmp_path):
        site.send(seed="seven")
        site.send()
        note = VerdictNote.from_message(site.next("recorder.verdict"))

    assert note.verdict.outcome is Outcome.WRONG


def test_judge_whose_sandbox_refuses_says_why_and_takes_no_order(tmp_path: Path) -> None:
    """A judge whose own environment has no NumPy to show to programs may run none."""
    site = Site(tmp_path)
    venv.create(tmp_path / "empty", symlinks=True)
    python = str(tmp_path / "empty" / "bin" / "python")
    with judge_at_work(tmp_path, python, PYTHONPATH=sysconfig.get_path("purelib")):
        site.send()
        alive = JudgeAlive.from_message(site.next("recorder.judge_alive"))
        time.sleep(1.0)

    assert alive.rung == "none"
    assert alive.refusal and "numpy is not installed" in alive.refusal
    waiting = [path for path in (tmp_path / "broker" / "queue").iterdir() if INTERACTIVE_QUEUE in path.name]
    assert len(waiting) == 1
