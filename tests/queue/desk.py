"""The site's side of a queue under test, as a process of its own: it obeys one order per line and answers in JSON.

    python -m tests.queue.desk

Django's settings are read once per process, and every site under test has a database and a broker of its own.
"""

import json
import os
import sys
import uuid
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseware.settings")
django.setup()

from django.conf import settings  # noqa: E402  (settings exist only after setup)
from django.core.management import call_command  # noqa: E402
from django.db import connection, connections  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from courseware.accounts.models import User  # noqa: E402
from grader.catalogue import current_exercises  # noqa: E402
from grader.models import JudgeHost, Kind, Submission  # noqa: E402
from grader.sources import Refused  # noqa: E402
from grader.submissions import cancel, submit  # noqa: E402
from quizzes.models import Response  # noqa: E402
from tests.factories import make_sitting  # noqa: E402


def prepare() -> None:
    call_command("migrate", verbosity=0, interactive=False)
    call_command("createcachetable", verbosity=0)


def submit_as(email: str, source: str) -> str:
    """Submit by the verb that the page uses; return the id, or the sentence of a refusal."""
    user = User.objects.filter(email=email).first() or User.objects.create_user(email, name=email)
    try:
        return str(submit(user, current_exercises()["attention"], kind=Kind.SUBMIT, source=source).pk)
    except Refused as refusal:
        return refusal.sentence


def submit_by_page(email: str, source: str) -> str:
    """Submit as a browser does; return the page that it then shows."""
    user = User.objects.create_user(email, name=email)
    browser = _browser(user)
    answer = browser.post(reverse("submit", args=["attention"]), {"source": source, "kind": "submit"})
    return str(browser.get(answer["Location"]).content.decode())


def make_people(count: int) -> list[str]:
    """Make accounts and sign them in: a full disk takes neither."""
    users = [User.objects.create_user(f"{uuid.uuid4()}@example.org", name="Ada") for _ in range(count)]
    _signed_in.update({user.email: _browser(user) for user in users})
    return [user.email for user in users]


def open_sitting(email: str) -> list[Any]:
    """Open a sitting; return it and the place of a question of which one option is picked."""
    sitting = make_sitting(user=User.objects.get(email=email))
    slots = sitting.slots.select_related("snapshot")
    place = next(slot.position for slot in slots if slot.snapshot.question().kind == "single")
    return [str(sitting.pk), place]


def save_answer(email: str, sitting: str, position: int, choice: str) -> list[Any]:
    """Save as a browser does that has just opened the page; return the status, the page and what is stored."""
    response = Response.objects.filter(slot__sitting=sitting, slot__position=position)
    fields = {"revision": response.get().revision, "choice": choice}
    answer = _signed_in[email].post(reverse("question", args=[sitting, position]), fields)
    return [answer.status_code, answer.content.decode(), response.get().revision]


def post_program(email: str, source: str) -> list[Any]:
    """Submit as a browser does; return the status, the page and which submissions are stored."""
    answer = _signed_in[email].post(reverse("submit", args=["attention"]), {"source": source, "kind": "submit"})
    stored = Submission.objects.filter(user__email=email).values_list("pk", flat=True)
    return [answer.status_code, answer.content.decode(), list(stored)]


def read_page(email: str, name: str, *arguments: str) -> list[Any]:
    answer = _signed_in[email].get(reverse(name, args=arguments))
    return [answer.status_code, answer.content.decode()]


def make_ready_for_no_room() -> None:
    """Leave no room to what comes, and need none to look at it."""
    # PostgreSQL writes a file for a new process, and without room refuses to start one.
    connection.close()
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":  # its log begins anew, without any room
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def page(submission: str) -> str:
    row = Submission.objects.get(pk=submission)
    return str(_browser(row.user).get(reverse("submission", args=[row.pk])).content.decode())


def status_page() -> str:
    return str(_browser(User.objects.earliest("pk")).get(reverse("status")).content.decode())


def take_back(submission: str) -> bool:
    return cancel(Submission.objects.get(pk=submission))


def row(submission: str) -> dict[str, Any]:
    """Return every field of a submission and of what its checks found."""
    found = Submission.objects.get(pk=submission)
    values = {field.attname: getattr(found, field.attname) for field in found._meta.concrete_fields}
    return values | {"results": list(found.results.order_by("pk").values())}


def newest(email: str) -> str:
    return str(Submission.objects.filter(user__email=email).latest("queued_at").pk)


def judges() -> dict[str, str]:
    """Return when each judge was last heard of."""
    return {judge.name: judge.seen_at.isoformat() for judge in JudgeHost.objects.all()}


def _browser(user: User) -> Client:
    browser = Client(raise_request_exception=False)
    browser.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    return browser


_signed_in: dict[str, Client] = {}
_ORDERS = {
    each.__name__: each
    for each in (
        *(prepare, submit_as, submit_by_page, page, status_page, take_back, row, newest, judges),
        *(make_people, open_sitting, save_answer, post_program, read_page, make_ready_for_no_room),
    )
}


def main() -> None:
    # Static files are not collected here; their names are not what these tests are about.
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    for line in sys.stdin:
        name, arguments = json.loads(line)
        print(json.dumps(_ORDERS[name](*arguments), default=str), flush=True)
        # A test may restart the server between two orders. A web server keeps its connection, and with it what SQLite
        # needs room for when the first one is made.
        if connection.vendor != "sqlite":
            connections.close_all()


if __name__ == "__main__":
    main()
