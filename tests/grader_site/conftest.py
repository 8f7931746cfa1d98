"""A course, a broker of files and a judge that reported itself: what the queue needs to move."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from celery import Celery, current_app

from grader.catalogue import current_exercises
from grader.transport import celery_options
from tests.factories import make_judge, make_learner
from tests.grader_site.courses import write_course


@pytest.fixture
def course(settings, tmp_path):
    settings.COURSE_PATH = write_course(tmp_path / "course")
    return settings.COURSE_PATH


@pytest.fixture
def exercise(course):
    return current_exercises()["double"]


@pytest.fixture
def torch_exercise(course):
    return current_exercises()["double-torch"]


class FolderBroker:
    """The real filesystem broker in a folder of one test, with the orders that lie in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "broker" / "queue"

    def orders(self) -> list[dict[str, Any]]:
        messages = [json.loads(path.read_text()) for path in sorted(self.folder.glob("*.judge.interactive.msg"))]
        return [json.loads(_body(message))[0][0] for message in messages]

    def break_down(self) -> None:
        """Take the folder away, as a broker that is down takes its port away."""
        self.folder.rename(self.folder.with_name("gone"))

    def come_back(self) -> None:
        self.folder.with_name("gone").rename(self.folder)


def _body(message: dict[str, Any]) -> bytes:
    return base64.b64decode(message["body"])


@pytest.fixture
def broker(tmp_path):
    before = current_app._get_current_object()
    app = Celery("site under test")
    app.conf.update(celery_options("filesystem://", tmp_path, side="site"))
    app.set_default()  # for the threads of a test; what is current is so for its own thread only
    yield FolderBroker(tmp_path)
    app.close()
    before.set_default()
    before.set_current()


@pytest.fixture
def judge(db):
    return make_judge(name="judge-1")


@pytest.fixture
def attention():
    return current_exercises()["attention"]


@pytest.fixture
def learner(db):
    return make_learner()


@pytest.fixture
def client(signed_in, learner):
    return signed_in(learner)
