"""A class at work on a site of its own, as a process: people sit tests there while a test does something to the site.

    python -m tests.operations.classroom fill | write | review | submit

Django's settings are read once per process, and each site under test has a database of its own.
"""

import os
import re
import sys
import threading
import uuid

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseware.settings")
django.setup()

from django.conf import settings  # noqa: E402  (settings exist only after setup)
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from grader import submissions  # noqa: E402
from grader.catalogue import current_exercises  # noqa: E402
from grader.models import Kind  # noqa: E402
from quizzes import sittings  # noqa: E402
from quizzes.models import Assignment, Sitting  # noqa: E402
from tests.factories import make_assignment, make_sitting, make_submission, make_user  # noqa: E402
from tests.quizzes.answering import wrong_answer_to  # noqa: E402

_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="[^"]+"')  # masked anew for every page


def fill() -> None:
    """Let one learner sit a test to its end."""
    sitting = make_sitting(make_assignment(title="The first"), user=make_user(email="first@example.org"), seed="3")
    _answer(sitting)
    sittings.hand_in(sitting.pk)
    print("filled", flush=True)


def write() -> None:
    """Sit tests one after the other until standard input ends; say how many were done."""
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    assignment = Assignment.objects.get(title="The first")
    done = 0
    while not ended.is_set():
        user = make_user(email=f"{uuid.uuid4()}@example.org")
        sitting = make_sitting(assignment, user=user, seed=str(done))
        _answer(sitting)
        make_submission(user=user)
        if done % 2:
            sittings.hand_in(sitting.pk)
        done += 1
        print(done, flush=True)


def review() -> None:
    """Print the review page of the first learner's sitting."""
    sitting = Sitting.objects.get(assignment__title="The first", enrolment__user__email="first@example.org")
    browser = Client()
    browser.force_login(sitting.enrolment.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    answer = browser.get(reverse("review", args=[sitting.pk]))
    assert answer.status_code == 200, answer
    print(_TOKEN.sub("", answer.content.decode()))


def submit() -> None:
    """Hand the program on standard input to the grader, as somebody new, by the verb that the page uses."""
    user = make_user(email=f"{uuid.uuid4()}@example.org")
    row = submissions.submit(user, current_exercises()["attention"], kind=Kind.SUBMIT, source=sys.stdin.read())
    print(row.pk)


def _answer(sitting: Sitting) -> None:
    """Answer each question wrongly, whatever its kind."""
    for slot in sitting.slots.select_related("snapshot").order_by("position"):
        sittings.record_answer(sitting.pk, slot.position, wrong_answer_to(slot.snapshot.question(), slot.variant), 0)


if __name__ == "__main__":
    # Static files are not collected here; their names are not what these tests are about.
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    {"fill": fill, "write": write, "review": review, "submit": submit}[sys.argv[1]]()
