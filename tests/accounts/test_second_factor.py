"""The pages of the second factor: turning it on and off, and its recovery codes."""

import re

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client
from django.urls import reverse

from tests.accounts.factors import NOON, confirm, give_code, give_password, is_in, turn_on
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _at_noon(time_machine):
    time_machine.move_to(NOON, tick=False)


def test_page_for_turning_on_asks_for_the_password_first(signed_in):
    client, path = signed_in(make_user()), reverse("mfa_activate_totp")

    answer = client.get(path)
    wrong = confirm(client, path, "not this one")
    right = confirm(client, path)

    assert answer.url.startswith(reverse("account_reauthenticate"))
    assert "This is not your password." in wrong.content.decode()
    assert right.url == path


def test_secret_is_shown_as_picture_and_text_within_the_policy(signed_in):
    client, path = signed_in(make_user()), reverse("mfa_activate_totp")
    confirm(client, path)

    answer = client.get(path)

    html = answer.content.decode()
    assert re.search(
        r'<svg class="qr" viewBox="0 0 \d+ \d+" role="img" aria-label="[^"]+"><path d="[M\dhv z-]+"/></svg>', html
    )
    assert "style=" not in html
    assert re.search(r'class="id secret">[A-Z2-7]{32}<', html)
    assert "no-store" in answer["Cache-Control"]


def test_wrong_code_turns_nothing_on_and_keeps_the_secret(signed_in):
    client, path = signed_in(make_user()), reverse("mfa_activate_totp")
    confirm(client, path)
    first = re.search(r"secret\">(\w+)<", client.get(path).content.decode())[1]

    html = client.post(path, {"code": "000000"}).content.decode()

    assert "This code does not fit." in html
    assert first in html
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize("next_", ["https://evil.example/", "//evil.example/"])
def test_confirming_leads_to_no_other_site(signed_in, next_):
    assert confirm(signed_in(make_user()), next_).url == reverse("home")


def test_turning_off_asks_for_the_password_and_takes_the_recovery_codes_along(signed_in, time_machine):
    user = make_user()
    client = signed_in(user)
    turn_on(client)
    time_machine.shift(301)  # the confirmation is five minutes old

    answer = client.post(reverse("mfa_deactivate_totp"))
    assert answer.url.startswith(reverse("account_reauthenticate"))
    assert Authenticator.objects.count() == 2

    confirm(client, reverse("mfa_deactivate_totp"))
    client.post(reverse("mfa_deactivate_totp"))

    assert not Authenticator.objects.exists()
    browser = Client()
    give_password(browser, user)
    assert is_in(browser)


def test_new_recovery_codes_replace_the_earlier_ones(signed_in):
    user, browser = make_user(), Client()
    client = signed_in(user)
    _, before = turn_on(client)

    client.post(reverse("mfa_generate_recovery_codes"))
    after = re.findall(r"<li>(\d{8})</li>", client.get(reverse("mfa_view_recovery_codes")).content.decode())

    assert not set(before) & set(after)
    give_password(browser, user)
    give_code(browser, before[0])
    assert not is_in(browser)


def test_recovery_codes_ask_for_the_password_again(signed_in, time_machine):
    client = signed_in(make_user())
    turn_on(client)
    time_machine.shift(301)

    assert client.get(reverse("mfa_view_recovery_codes")).url.startswith(reverse("account_reauthenticate"))


def test_owner_is_told_by_letter_of_each_change(signed_in, django_capture_on_commit_callbacks):
    client = signed_in(make_user())
    with django_capture_on_commit_callbacks(execute=True):
        turn_on(client)
        client.post(reverse("mfa_generate_recovery_codes"))
        client.post(reverse("mfa_deactivate_totp"))

    assert {letter.subject for letter in mail.outbox} == {
        "Your second factor is on",
        "New recovery codes were drawn",
        "Your second factor is off",
    }


def test_pages_say_what_is_the_case(signed_in):
    client = signed_in(make_user())
    page = lambda: client.get(reverse("mfa_index")).content.decode()  # noqa: E731

    assert "Turn it on" in page()
    turn_on(client)
    assert "of which 10 are unused" in page()
