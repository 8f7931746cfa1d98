"""Pages for what went wrong: each says what happened and leads on, and none needs what may have failed."""

import pytest
from django.core.exceptions import PermissionDenied
from django.db import OperationalError, connection
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse

from courseware.study import failures, views
from tests.factories import make_learner

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("signed", [True, False])
def test_a_page_that_is_not_there_says_so_and_leads_home(signed_in, signed):
    browser = signed_in(make_learner()) if signed else Client()

    answer = browser.get("/no/such/page/")

    assert answer.status_code == 404
    assert "Nothing is here" in answer.content.decode()
    assert f'href="{reverse("home")}"' in answer.content.decode()


def test_a_form_without_its_token_is_old(signed_in):
    browser = Client(enforce_csrf_checks=True)

    answer = browser.post(reverse("account_login"), {"login": "a@example.org", "password": "x"})

    assert answer.status_code == 403
    assert "This form is old" in answer.content.decode()
    assert "was not taken" in answer.content.decode()


def test_what_is_forbidden_says_that_nothing_was_changed(signed_in, monkeypatch):
    def forbids(request: HttpRequest) -> None:
        raise PermissionDenied

    monkeypatch.setattr(views, "overview_of", forbids)

    answer = signed_in(make_learner()).get(reverse("home"))

    assert answer.status_code == 403
    assert "Not yours to open" in answer.content.decode()


def test_a_fault_of_ours_shows_a_page_without_what_went_wrong(signed_in, monkeypatch):
    def breaks(user: object) -> None:
        raise RuntimeError("password=hush in /srv/secret")

    monkeypatch.setattr(views, "overview_of", breaks)
    browser = signed_in(make_learner())
    browser.raise_request_exception = False

    answer = browser.get(reverse("home"))

    assert answer.status_code == 500
    page = answer.content.decode()
    assert "<h1>Our fault</h1>" in page
    for word in ("hush", "RuntimeError", "Traceback", "/srv/secret"):
        assert word not in page
    assert "script-src 'self'" in answer["Content-Security-Policy"]


@pytest.fixture
def read_only():
    """A database that takes nothing, as one whose disk is full."""

    def tell(value: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA query_only = {value}")

    yield lambda: tell("on")
    tell("off")


@pytest.mark.only_on("sqlite")
def test_what_the_database_did_not_take_comes_back_in_a_form_that_sends_it_again(signed_in, read_only):
    browser = signed_in(make_learner())
    browser.raise_request_exception = False
    sent = {"source": "\ndef f(x):\n    return x < 1\n", "kind": "submit"}
    read_only()

    answer = browser.post(reverse("submit", args=["attention"]), sent)

    page = answer.content.decode()
    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    assert "what you sent was not stored" in page
    assert f'action="{reverse("submit", args=["attention"])}"' in page
    # A browser drops the first line end after the tag, and only that.
    assert '<textarea name="source" hidden>\n\ndef f(x):\n    return x &lt; 1\n</textarea>' in page
    assert '<textarea name="kind" hidden>\nsubmit</textarea>' in page


@pytest.mark.parametrize("field", ["password", "oldpassword", "code", "recovery_code"])
def test_what_proves_who_somebody_is_comes_back_in_no_page(rf, field):
    try:
        raise OperationalError("disk is full")
    except OperationalError:
        answer = failures.broken(rf.post("/sign-in/", {"login": "a@example.org", field: "hush"}))

    page = answer.content.decode()
    assert answer.status_code == 503
    assert "hush" not in page and "<form" not in page
    assert 'href="/sign-in/"' in page


@pytest.mark.only_on("sqlite")
def test_pages_are_shown_while_the_database_takes_nothing(signed_in, read_only):
    browser = signed_in(make_learner())
    read_only()

    pages = [
        browser.get(reverse(*name))
        for name in (("home",), ("card", None, ["self-attention"]), ("exercise", None, ["attention"]))
    ]

    assert [page.status_code for page in pages] == [200] * 3


@pytest.mark.only_on("sqlite")
def test_saves_that_cannot_be_counted_are_not_said_to_be_too_many(signed_in, read_only):
    browser = signed_in(make_learner())
    browser.raise_request_exception = False
    read_only()

    answer = browser.post(
        reverse("draft_save", args=["attention"]), {"source": "x"}, headers={"Accept": "application/json"}
    )

    assert answer.status_code == 503


def test_a_page_that_cannot_be_read_offers_to_try_again(rf):
    try:
        raise OperationalError("the server is away")
    except OperationalError:
        answer = failures.broken(rf.get("/exercises/?a=1&b=2"))

    page = answer.content.decode()
    assert answer.status_code == 503
    assert 'href="/exercises/?a=1&amp;b=2"' in page
    assert "cannot be shown" in page
    assert "away" not in page


def test_the_page_of_a_fault_asks_nothing_of_the_database(django_assert_num_queries):
    connection.close()

    with django_assert_num_queries(0):
        answer = failures.broken(RequestFactory().get("/"))

    assert (answer.status_code, "Our fault" in answer.content.decode()) == (500, True)
