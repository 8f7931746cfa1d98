"""Signing in with a second factor: what a code is worth, and what guessing gets."""

import re

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from tests.accounts.factors import NOON, code_of, give_code, give_password, is_in, turn_on
from tests.factories import PASSWORD, make_cohort, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _at_noon(time_machine):
    time_machine.move_to(NOON, tick=False)


def test_turned_on_it_is_asked_for_at_the_next_sign_in(signed_in):
    user, browser = make_user(), Client()
    secret, recovery = turn_on(signed_in(user))

    answer = give_password(browser, user)

    assert answer.url == reverse("mfa_authenticate")
    assert not is_in(browser)
    assert browser.get(reverse("home")).status_code == 302
    assert give_code(browser, code_of(secret, steps=1)).url == reverse("home")
    assert is_in(browser)
    assert len(recovery) == 10


@pytest.mark.parametrize("given", ["", "000000", "12345", "<b>", "0" * 400, "\x00"])
def test_wrong_code_signs_nobody_in(signed_in, given):
    user, browser = make_user(), Client()
    turn_on(signed_in(user))
    give_password(browser, user)

    answer = give_code(browser, given)

    assert 'class="fault"' in answer.content.decode()
    assert not is_in(browser)


def test_code_counts_once(signed_in):
    user, first, second = make_user(), Client(), Client()
    secret, _ = turn_on(signed_in(user))
    for browser in (first, second):
        give_password(browser, user)

    give_code(first, code_of(secret, steps=1))
    give_code(second, code_of(secret, steps=1))

    assert (is_in(first), is_in(second)) == (True, False)


@pytest.mark.parametrize(("steps", "signs_in"), [(-2, False), (-1, True), (1, True), (2, False)])
def test_clock_may_be_half_a_minute_off(signed_in, steps, signs_in):
    user, browser = make_user(), Client()
    secret, _ = turn_on(signed_in(user))
    give_password(browser, user)

    give_code(browser, code_of(secret, steps=steps))

    assert is_in(browser) == signs_in


def test_recovery_code_signs_in_once(signed_in):
    user, first, second = make_user(), Client(), Client()
    _, recovery = turn_on(signed_in(user))

    for browser in (first, second):
        give_password(browser, user)
        give_code(browser, recovery[0])

    assert (is_in(first), is_in(second)) == (True, False)


def test_five_wrong_codes_close_the_door_to_right_ones_for_a_while(signed_in, time_machine):
    user, browser = make_user(), Client()
    secret, recovery = turn_on(signed_in(user))
    give_password(browser, user)
    for _ in range(5):
        give_code(browser, "000000")

    html = give_code(browser, code_of(secret, steps=1)).content.decode()

    assert "Five codes did not fit." in html
    assert not is_in(browser)
    fresh = Client()  # another browser, which knows the password too
    give_password(fresh, user)
    give_code(fresh, recovery[0])
    assert not is_in(fresh)
    time_machine.shift(901)
    late = Client()
    give_password(late, user)
    give_code(late, recovery[0])
    assert is_in(late)


def test_wrong_codes_of_one_person_close_no_door_of_another(signed_in):
    victim, guesser, browser = make_user(), make_user(), Client()
    _, recovery = turn_on(signed_in(victim))
    turn_on(signed_in(guesser))
    give_password(browser, guesser)
    for _ in range(6):
        give_code(browser, "000000")

    theirs = Client()
    give_password(theirs, victim)
    give_code(theirs, recovery[0])

    assert is_in(theirs)


def test_code_without_the_password_leads_to_signing_in(signed_in):
    _, recovery = turn_on(signed_in(make_user()))
    browser = Client()

    answer = give_code(browser, recovery[0])

    assert answer.url == reverse("account_login")
    assert not is_in(browser)


@pytest.mark.parametrize("next_", ["https://evil.example/", "//evil.example/"])
def test_signing_in_with_it_leads_to_no_other_site(signed_in, next_):
    user, browser = make_user(), Client()
    _, recovery = turn_on(signed_in(user))
    give_password(browser, user, next=next_)

    assert give_code(browser, recovery[0]).url == reverse("home")


def test_signing_in_with_it_leads_to_where_somebody_wanted(signed_in):
    user, browser = make_user(), Client()
    _, recovery = turn_on(signed_in(user))
    give_password(browser, user, next=reverse("exercises"))

    assert give_code(browser, recovery[0]).url == reverse("exercises")


def test_sign_up_form_does_not_go_round_the_second_factor(signed_in):
    user, browser, cohort = make_user(), Client(), make_cohort()
    turn_on(signed_in(user))

    answer = browser.post(
        reverse("join_cohort", args=[cohort.join_code]), {"name": "A", "email": user.email, "password": PASSWORD}
    )

    assert answer.url == reverse("mfa_authenticate")
    assert not is_in(browser)


def test_new_password_by_letter_does_not_go_round_the_second_factor(signed_in):
    user, browser = make_user(), Client()
    turn_on(signed_in(user))
    browser.post(reverse("account_reset_password"), {"email": user.email})
    path = re.search(r"http://testserver(\S+/reset/\S+)", mail.outbox[-1].body)[1]
    new = "another long enough phrase"
    browser.post(browser.get(path).url, {"password1": new, "password2": new})

    answer = browser.post(reverse("account_login"), {"login": user.email, "password": new})

    assert answer.url == reverse("mfa_authenticate")
    assert not is_in(browser)
