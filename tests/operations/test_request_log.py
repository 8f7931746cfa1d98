"""One line per request, with an id that its answer repeats, and nothing in it that is a secret or a name."""

import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from courseware.accounts.models import User
from grader.log_lines import TextLine
from quizzes import sittings
from tests.access.cast import arguments, fields, make_cast
from tests.access.table import FORMS, NAMES
from tests.factories import PASSWORD, make_learner, make_sitting, make_submission
from tests.quizzes.answering import slot_of, wrong_answer

pytestmark = pytest.mark.django_db


@pytest.fixture
def log(caplog):
    """Return a function that gives the lines so far, as the log would hold them."""
    caplog.handler.setFormatter(TextLine())
    return lambda: caplog.text.splitlines()


def _of_requests(lines: list[str]) -> list[str]:
    return [line for line in lines if " courseware.request: " in line]


def test_request_has_one_line_with_page_person_and_submission(log, signed_in):
    learner = make_learner()
    submission = make_submission(user=learner)

    answer = signed_in(learner).get(reverse("submission", args=[submission.pk]))

    (line,) = _of_requests(log())
    assert re.search(r"INFO courseware\.request: GET 200 page=submission milliseconds=\d+ ", line)
    assert f" submission={submission.pk} user={learner.uuid} request={answer['X-Request-ID']}" in line


@pytest.mark.django_db(transaction=True)  # such a line is written when what it says is certain
def test_every_line_of_a_request_carries_its_id(log, signed_in):
    answer = signed_in(make_learner()).post(reverse("submit", args=["attention"]), {"source": "x = 1", "kind": "run"})

    (queued,) = [line for line in log() if "submission queued" in line]
    assert f"request={answer['X-Request-ID']}" in queued
    assert "exercise=attention kind=run" in queued


def test_page_that_is_not_there_and_one_without_a_person_have_their_line(log):
    Client().get("/no/such/page/")

    (line,) = _of_requests(log())
    assert "GET 404 page=none" in line
    assert "user=" not in line


def test_probe_has_a_line_only_when_it_fails(log, settings):
    Client().get("/healthz")
    Client().get("/metrics")

    (line,) = _of_requests(log())
    assert "GET 404 page=metrics" in line


def test_file_of_a_page_has_a_line_only_when_it_is_missing(log):
    Client().get("/static/no-such-file.css")

    (line,) = _of_requests(log())
    assert "GET 404 page=static" in line


def test_log_asks_the_database_nothing(signed_in, django_assert_num_queries):
    browser = signed_in(make_learner())

    with django_assert_num_queries(0):
        browser.get("/no/such/page", headers={"Host": "elsewhere.example"})


def test_stranger_cannot_name_a_request(settings):
    settings.PROXY_COUNT = 0

    answer = Client().get("/healthz", headers={"X-Request-ID": "chosen-by-a-stranger"})

    assert re.fullmatch("[0-9a-f]{32}", answer["X-Request-ID"])


@pytest.mark.parametrize(
    ("given", "is_taken"),
    [
        ("from-the-proxy.1", True),
        ("a" * 64, True),
        ("short", False),
        ("a" * 65, False),
        ("two words", False),
        ("", False),
    ],
)
def test_proxy_names_a_request_if_the_name_is_well_formed(settings, given, is_taken):
    settings.PROXY_COUNT = 1

    answer = Client().get("/healthz", headers={"X-Request-ID": given})

    assert (answer["X-Request-ID"] == given) is is_taken


def test_sitting_is_logged_without_its_answers(log, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        sitting = make_sitting()
        slot = slot_of(sitting, "single")
        sittings.record_answer(sitting.pk, slot.position, wrong_answer(slot), 0)
        sittings.hand_in(sitting.pk)

    found = [line.partition("quizzes.event_log: ")[2] for line in log() if f"sitting={sitting.pk}" in line]
    assert found == [
        f"sitting opened sitting={sitting.pk}",
        f"sitting saved sitting={sitting.pk} position={slot.position}",
        f"sitting closed sitting={sitting.pk}",
    ]


def test_coming_and_going_is_logged_by_uuid(log):
    learner = make_learner()
    browser = Client()

    for password in ("wrong " + PASSWORD, PASSWORD):
        browser.post(reverse("account_login"), {"login": learner.email, "password": password})
    browser.post(reverse("account_logout"))

    events = [line.partition("Z ")[2] for line in log() if "operations.events" in line]
    assert [event.partition(" request=")[0] for event in events] == [
        "WARNING courseware.operations.events: sign-in refused",
        f"INFO courseware.operations.events: signed in user={learner.uuid}",
        f"INFO courseware.operations.events: signed out user={learner.uuid}",
    ]


def test_lockout_is_logged_without_the_name_that_was_tried(log):
    browser = Client()

    for _ in range(6):
        browser.post(reverse("account_login"), {"login": "somebody@example.org", "password": PASSWORD})

    assert any("sign-in locked" in line for line in log())
    assert not any("somebody" in line for line in log())


def test_no_page_and_no_form_writes_a_name_a_password_a_program_or_a_key(log, signed_in):
    cast = make_cast()
    texts = {"source": "print('a learner wrote this')"}

    for person in (cast.owner, cast.instructor):
        browser = signed_in(person)
        for name in NAMES:
            browser.get(reverse(name, args=arguments(cast, name)))
        for name in sorted(FORMS, key="account_logout".__eq__):
            browser.post(reverse(name, args=arguments(cast, name)), {**fields(cast, name), **texts})

    lines = "\n".join(log())
    assert len(_of_requests(log())) > 2 * len(NAMES)
    people = User.objects.all()
    never = {PASSWORD, "another long enough phrase", "learner wrote", *(each.email for each in people)}
    never |= {each.name for each in people} | {cast.cohort.join_code, cast.submission.ticket or "ticket="}
    assert not {secret for secret in never if secret in lines}
    assert str(cast.owner.uuid) in lines


def test_ids_are_drawn_anew():
    first, second = (Client().get("/healthz")["X-Request-ID"] for _ in range(2))

    assert uuid.UUID(first) != uuid.UUID(second)
