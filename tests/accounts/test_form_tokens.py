"""Tokens of forms: each page has another, Django takes them all, and a browser is given its secret once."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from courseware.accounts import form_tokens
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser() -> Client:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(make_user(), backend="allauth.account.auth_backends.AuthenticationBackend")
    return browser


def _token(answer) -> str:
    return re.search(r'csrfmiddlewaretoken" value="(\w+)"', answer.content.decode())[1]


def _leave(browser: Client, token: str) -> int:
    return browser.post(reverse("account_logout"), {"csrfmiddlewaretoken": token}).status_code


def test_every_page_has_another_token_and_each_is_taken(browser):
    first, second, third = (_token(browser.get(reverse("keys"))) for _ in range(3))
    half = len(second) // 2

    assert len({first, second, third}) == 3
    assert browser.cookies["csrftoken"].value not in second + third
    assert _leave(browser, second[:half] + third[half:]) == 403  # one page's mask says nothing of another's token
    assert _leave(browser, "x" * len(second)) == 403
    assert _leave(browser, third) == 302


def test_a_browser_is_given_its_secret_once_and_again_where_it_lost_or_spoilt_it(browser):
    def given() -> list[str]:
        answer = browser.get(reverse("keys"))
        return [name for name in answer.cookies if name == "csrftoken"]

    assert given()
    assert not given()
    browser.cookies["csrftoken"] = "<spoilt>"
    assert given()
    del browser.cookies["csrftoken"]
    assert given()
    assert _leave(browser, _token(browser.get(reverse("keys")))) == 302


def test_every_character_is_drawn_and_none_oftener_than_chance_has_it():
    drawn = "".join(form_tokens._masked("a" * 32)[:32] for _ in range(4000))
    counts = [drawn.count(character) for character in form_tokens.CSRF_ALLOWED_CHARS]

    # Each is drawn 2065 times of 128,000, give or take 45; six times that comes once in ten million runs.
    assert all(abs(count - len(drawn) / 62) < 6 * 45 for count in counts)
