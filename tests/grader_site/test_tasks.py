"""The recorder's doors: hostile messages are dropped whole, and a message can make it do one thing only."""

import threading
import time
from contextlib import contextmanager
from datetime import timedelta

import pytest
from celery import Celery
from celery.worker import state as worker_state
from django.utils import timezone

from courseware.recorder import app as recorder
from grader import tasks
from grader.dispatching import dispatch
from grader.judges import MOST_JUDGES, forget_silent_judges
from grader.messages import RECORDER_QUEUE, JudgeAlive
from grader.models import JudgeHost, Kind, State, Submission
from grader.submissions import submit
from grader.transport import celery_options
from tests.factories import make_judge, make_user
from tests.grader_site.answers import progress_note, right_verdict, verdict_note
from tests.grader_site.courses import SOLUTION

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(exercise, broker, judge):
    submission = submit(make_user(), exercise, kind=Kind.SUBMIT, source=SOLUTION)
    dispatch()
    submission.refresh_from_db()
    return submission


def _alive(**changes) -> dict:
    alive = JudgeAlive("judge-9", "namespaces", "", "cpu", (("numpy", "2.4.6"),), "a" * 64, ("numpy",), None)
    return alive.to_message() | changes


def test_the_recorder_registers_its_three_tasks_and_no_other():
    assert set(recorder.tasks) == {"recorder.progress", "recorder.verdict", "recorder.judge_alive"}
    assert recorder.conf.accept_content == ["json"]
    assert recorder.conf.worker_enable_remote_control is False


def test_a_verdict_message_ends_the_submission(sent):
    tasks.verdict(verdict_note(sent).to_message())

    sent.refresh_from_db()
    assert sent.state == State.FINISHED


@pytest.mark.parametrize("message", [None, 7, "text", [], {}, {"submission": 1}, {"ticket": None}])
def test_messages_of_any_other_shape_are_dropped(sent, message):
    tasks.verdict(message)
    tasks.progress(message)
    tasks.judge_alive(message)

    sent.refresh_from_db()
    assert sent.state == State.SENT
    assert list(JudgeHost.objects.values_list("name", flat=True)) == ["judge-1"]


@pytest.mark.parametrize(
    "hostile",
    [
        {"submission": "' OR 1=1 --"},
        {"delivery": True},
        {"delivery": 10**30},
        {"ticket": ["a"]},
        {"judge": "x" * 101},
        {"judge": "nul\0"},
        {"verdict": None},
        {"extra": 1},
    ],
)
def test_a_verdict_with_one_bad_field_is_dropped_whole(sent, hostile):
    tasks.verdict(verdict_note(sent).to_message() | hostile)

    sent.refresh_from_db()
    assert sent.state == State.SENT


@pytest.mark.parametrize(
    "hostile",
    [
        {"marks_fraction": "9.0000"},
        {"marks_fraction": 1},
        {"outcome": "excellent"},
        {"sentence": "\ud800"},
        {"seconds": float("nan")},
        {"output": "x" * 70_000},
        {"checks": [{}]},
        {"checks": [None] * 1000},
        {"weights": {"theirs": [[1], [1, 2]], "reference": [[1]]}},
        {"surprise": 1},
    ],
)
def test_a_verdict_with_a_bad_part_is_dropped_whole(sent, hostile):
    message = verdict_note(sent).to_message()
    message["verdict"] |= hostile

    tasks.verdict(message)

    sent.refresh_from_db()
    assert sent.state == State.SENT


def test_progress_with_an_endless_list_is_dropped(sent):
    message = progress_note(sent).to_message()
    message["checks"] = [{}] * 1000

    tasks.progress(message)

    assert not sent.results.exists()


def test_a_judge_that_reports_itself_is_known_and_known_once():
    tasks.judge_alive(_alive())
    tasks.judge_alive(_alive(refusal="no sandbox"))

    (judge,) = JudgeHost.objects.all()
    assert (judge.name, judge.libraries, judge.refusal) == ("judge-9", ["numpy"], "no sandbox")
    assert not JudgeHost.objects.grading().exists()


def test_a_judge_cannot_fill_the_table_with_names():
    for number in range(MOST_JUDGES + 3):
        tasks.judge_alive(_alive(judge=f"judge-{number}"))

    assert JudgeHost.objects.count() == MOST_JUDGES


def test_judges_silent_for_a_day_are_forgotten():
    make_judge(seen_at=timezone.now() - timedelta(days=2))
    make_judge(name="judge-2")

    assert forget_silent_judges() == 1
    assert [judge.name for judge in JudgeHost.objects.all()] == ["judge-2"]


# What follows runs the recorder's own app as a real worker on a broker of files.


@contextmanager
def _worker(app: Celery):
    worker = app.WorkController(
        pool="solo", queues=[RECORDER_QUEUE], without_gossip=True, without_mingle=True, without_heartbeat=True
    )
    thread = threading.Thread(target=worker.start, daemon=True)
    thread.start()
    try:
        yield
    finally:
        worker_state.should_stop = 0  # the exit status; what counts is that it is set
        thread.join(timeout=10)
        worker_state.should_stop = None


def _wait_until(holds) -> bool:
    deadline = time.monotonic() + 15
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)
    return holds()


@pytest.fixture
def files_recorder(tmp_path):
    """Point the recorder at a folder of this test."""
    options = celery_options("filesystem://", tmp_path, side="site")
    before = {name: recorder.conf[name] for name in options}
    recorder.conf.update(options)
    yield recorder
    recorder.conf.update(before)


@pytest.mark.django_db(transaction=True)
def test_a_message_with_follow_ups_is_refused_and_makes_the_recorder_publish_nothing(sent, files_recorder, tmp_path):
    judge = Celery("a judge under foreign control", set_as_current=False)
    judge.conf.update(celery_options("filesystem://", tmp_path, side="judge"))
    follow_up = judge.signature("periodic.dispatch", queue="periodic", immutable=True)
    message = verdict_note(sent, right_verdict()).to_message()
    for extras in (
        {"link": follow_up},
        {"link_error": follow_up},
        {"chain": [follow_up]},
        {"time_limit": 0.001, "link_error": follow_up},
    ):
        judge.send_task("recorder.verdict", args=[message], queue=RECORDER_QUEUE, **extras)
    judge.send_task("celery.group", args=[[], [], "x", ()], queue=RECORDER_QUEUE)
    judge.send_task("recorder.verdict", args=[message, message], queue=RECORDER_QUEUE)
    judge.send_task("recorder.judge_alive", args=[_alive(judge="the last message")], queue=RECORDER_QUEUE)

    with _worker(files_recorder):
        arrived = _wait_until(lambda: JudgeHost.objects.filter(name="the last message").exists())

    assert arrived
    assert Submission.objects.get(pk=sent.pk).state == State.SENT
    assert [path.name for path in (tmp_path / "broker" / "queue").glob("*periodic*")] == []
    judge.close()


@pytest.mark.django_db(transaction=True)
def test_a_plain_message_through_the_broker_is_recorded(sent, files_recorder, tmp_path):
    judge = Celery("a judge", set_as_current=False)
    judge.conf.update(celery_options("filesystem://", tmp_path, side="judge"))
    judge.send_task("recorder.verdict", args=[verdict_note(sent).to_message()], queue=RECORDER_QUEUE)

    with _worker(files_recorder):
        finished = _wait_until(lambda: Submission.objects.get(pk=sent.pk).state == State.FINISHED)

    assert finished
    judge.close()
