"""A stop in the middle of work: what a judge holds is finished or given back, and nobody's turn is used up."""

import contextlib
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.operations.sites import Site
from tests.processes import wait_until
from tests.sandbox.guests import guests_at_work
from tests.servers import free_port
from tests.up import Up

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.timeout(400)]

RIGHT = (Path(__file__).resolve().parents[1] / "submissions" / "attention" / "right_plain.py").read_text()
# Two more people submit meanwhile, by processes that take seconds to start.
SLOW = "import time\ntime.sleep(15)\n" + RIGHT


def _ask(site: Site, question: str, *values: str) -> list[tuple]:
    with contextlib.closing(sqlite3.connect(site.var_path / "courseware.sqlite3", timeout=20)) as connection:
        return connection.execute(question, values).fetchall()


def _row(site: Site, submission: str) -> dict[str, Any]:
    names = ("state", "verdict", "delivery", "fault_of")
    (values,) = _ask(
        site, f"SELECT {', '.join(names)} FROM grader_submission WHERE id = ?", submission.strip().replace("-", "")
    )
    return dict(zip(names, values, strict=True))


def _patient_course(folder: Path) -> Path:
    """Return the course with limits that let a program sleep."""
    course = Path(shutil.copytree(settings.COURSE_PATH, folder / "course"))
    (exercise,) = course.rglob("attention/exercise.yaml")
    exercise.write_text(re.sub(r"(?m)^  (call|total)_seconds: \d+$", r"  \1_seconds: 60", exercise.read_text()))
    return course


@pytest.fixture
def start() -> Iterator[Callable[[Site], Up]]:
    """Return a function that starts a site and waits until it answers; none outlives the test."""
    begun: list[Up] = []

    def begin(site: Site) -> Up:
        begun.append(Up(site.var_path, **site.more))
        begun[-1].address()
        return begun[-1]

    yield begin
    for running in begun:
        if running.process.poll() is None:
            running.interrupt()


def test_stopped_site_finishes_what_runs_and_gives_back_what_waits(start, tmp_path):
    # The port that nobody chooses is what the tests of `up` are about, maybe in another process at this moment.
    address = f"http://127.0.0.1:{free_port()}"
    site = Site(tmp_path / "var", more={"COURSE_PATH": str(_patient_course(tmp_path)), "SITE_URL": address})
    running = start(site)
    wait_until(lambda: _ask(site, "SELECT 1 FROM grader_judgehost WHERE refusal = ''"), seconds=120)
    judged = site.class_does("submit", by=SLOW)
    wait_until(lambda: guests_at_work(running.process.pid))
    at_the_door, queued = (site.class_does("submit", by=RIGHT) for _ in range(2))

    status = running.interrupt()

    assert (status, running.lines[-1]) == (0, "Everything has stopped.")
    assert _row(site, judged) == {"state": "finished", "verdict": "right", "delivery": 1, "fault_of": "learner"}
    waiting = [_row(site, each) for each in (at_the_door, queued)]
    assert all(row["state"] in ("queued", "sent", "finished") for row in waiting)

    again = start(site)
    # Well before a lease runs out: the broker has what the judge gave back.
    wait_until(lambda: all(_row(site, each)["verdict"] == "right" for each in (at_the_door, queued)), seconds=75)
    again.interrupt()

    assert all(_row(site, each)["delivery"] == 1 for each in (at_the_door, queued))
    lines = "\n".join(running.lines + again.lines)
    for submission in (judged, at_the_door, queued):
        for event in ("judged", "finished"):
            assert f"submission {event} submission={submission.strip()}" in lines, event
