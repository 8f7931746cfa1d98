"""Pages for what went wrong: each says what happened and leads on, and none needs what may have failed."""

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
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


def test_the_page_of_a_fault_asks_nothing_of_the_database(django_assert_num_queries):
    connection.close()

    with django_assert_num_queries(0):
        answer = failures.broken(RequestFactory().get("/"))

    assert (answer.status_code, "Our fault" in answer.content.decode()) == (500, True)
