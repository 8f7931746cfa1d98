"""Every address of the site, tried by everybody with every method: what the table says and nothing else."""

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from tests.access.cast import Cast, arguments, fields, make_cast, names_of_every_address, rows
from tests.access.table import EXPECTED, FORMS, NAMES, PEOPLE

pytestmark = pytest.mark.django_db

_REFUSALS = {"login", "403", "404", "405"}
# Forms that change no row by themselves: they lead on to another, confirm who somebody is, or send a letter.
_LEAD_ON = {
    "account_login", "account_reauthenticate", "account_reset_password", "account_reset_password_from_key",
    "mfa_authenticate", "mfa_reauthenticate", "mfa_activate_totp", "mfa_generate_recovery_codes", "join",
}  # fmt: skip
_NOT_THERE = (
    "/admin/", "/accounts/signup/", "/accounts/password/set/", "/accounts/2fa/", "/accounts/email/", "/api/",
    "/cohorts/new/",
)  # fmt: skip


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def browser_of(signed_in):
    """Return a function that gives the browser of somebody in the cast."""
    return lambda person: Client() if person is None else signed_in(person)


@contextmanager
def _undone() -> Iterator[None]:
    """Take back what happens in the block, so that everybody finds the rows of the same cast."""
    before = transaction.savepoint()
    yield
    transaction.savepoint_rollback(before)


def _address(cast: Cast, name: str) -> str:
    return reverse(name, args=arguments(cast, name))


def _answer(response) -> str:
    if response.status_code == 302 and response["Location"].startswith(reverse("account_login")):
        return "login"
    return str(response.status_code)


def test_every_address_of_the_url_conf_is_in_the_table():
    """A new page is open to nobody until somebody has said whom it is for."""
    assert sorted(names_of_every_address()) == sorted(NAMES)
    assert {(name, method) for name in NAMES for method in ("GET", "POST")} == set(EXPECTED)


@pytest.mark.parametrize("person", PEOPLE)
def test_reading_is_for_whom_the_table_says(person, cast, browser_of):
    answers = {name: _answer(browser_of(cast.person(person)).get(_address(cast, name))) for name in NAMES}

    assert answers == {name: EXPECTED[name, "GET"][person] for name in NAMES}


@pytest.mark.parametrize("person", PEOPLE)
def test_writing_is_for_whom_the_table_says_and_a_refusal_changes_no_row(person, cast, browser_of):
    before = rows()
    answers, changed = {}, set()

    for name in NAMES:
        with _undone():
            answers[name] = _answer(browser_of(cast.person(person)).post(_address(cast, name), fields(cast, name)))
            if rows() != before:
                changed.add(name)

    assert answers == {name: EXPECTED[name, "POST"][person] for name in NAMES}
    assert not {name for name in changed if answers[name] in _REFUSALS}
    # The forms were real ones: what was not refused did change something.
    taken = {name for name in NAMES if answers[name] == "302" and name not in _LEAD_ON}
    # The owner has this sitting open, has picked and has given this answer: a second time changes nothing.
    twice = {"sitting_open", "self_check_pick", "practice_question"}
    assert changed >= taken - (twice if person == "owner" else set())


@pytest.mark.parametrize("person", PEOPLE)
def test_looking_changes_nothing_but_what_the_reader_has_read(person, cast, browser_of):
    before = rows()

    for name in NAMES:
        browser_of(cast.person(person)).get(_address(cast, name))

    after = rows()
    changed = {label for label in after if after[label] != before[label]}
    # Figures are kept so that they need not be worked out again; they say nothing that was not there before.
    assert changed <= {"study.Reading", "quizzes.ItemAnalysis", "accounts.KeptFigures"}
    assert [each for each in after["study.Reading"] if each in before["study.Reading"]] == before["study.Reading"]


@pytest.mark.parametrize("name", FORMS)
def test_a_form_without_its_token_is_refused_and_changes_no_row(name, cast):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(cast.owner, backend="allauth.account.auth_backends.AuthenticationBackend")
    path, form = _address(cast, name), fields(cast, name)
    before = rows()

    answers = [
        browser.post(path, form),
        browser.post(path, {**form, "csrfmiddlewaretoken": "a" * 64}),
        browser.post(path, form, headers={"Accept": "application/json"}),
        browser.put(path),
        browser.delete(path),
    ]

    assert [answer.status_code for answer in answers] == [403] * 5
    assert "This form is old" in answers[0].content.decode()
    assert rows() == before


@pytest.mark.parametrize("person", ["stranger", "owner", "instructor"])
def test_head_is_a_get_without_its_body(person, cast, browser_of):
    for name in NAMES:
        browser, path = browser_of(cast.person(person)), _address(cast, name)

        response = browser.head(path)

        assert response.status_code == browser.get(path).status_code, name
        assert b"".join(response) == b"", name


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "OPTIONS"])
def test_other_methods_do_nothing(method, cast, browser_of):
    before = rows()

    for name in NAMES:
        for person in ("stranger", "owner", "instructor"):
            answer = _answer(browser_of(cast.person(person)).generic(method, _address(cast, name)))
            assert answer in {"login", "405"}, (name, person)

    assert rows() == before


_OWNED = [name for name in NAMES if "404" in {*EXPECTED[name, "GET"].values(), *EXPECTED[name, "POST"].values()}]


@pytest.mark.parametrize("name", _OWNED)
def test_a_guessed_id_is_not_found_and_looks_like_one_that_is_somebody_elses(name, cast, browser_of):
    """Otherwise the answers would tell which ids exist."""
    browser = browser_of(cast.learner)
    guessed = [uuid.uuid4() if isinstance(each, uuid.UUID) else 987_654 for each in arguments(cast, name)]
    ask = browser.post if EXPECTED[name, "GET"]["owner"] == "405" else browser.get

    not_there, not_mine = ask(reverse(name, args=guessed)), ask(_address(cast, name))

    assert (not_there.status_code, not_mine.status_code) == (404, 404)
    token = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]+"')  # masked anew for every page
    assert token.sub(b"", not_there.content) == token.sub(b"", not_mine.content)


@pytest.mark.parametrize("name", ["cohort_learner", "cohort_sitting", "cohort_submission", "cohort_report"])
def test_staff_reach_nothing_of_another_cohort_by_way_of_their_own(name, cast, browser_of):
    path = reverse(name, args=[cast.other_cohort.pk, *arguments(cast, name)[1:]])

    assert browser_of(cast.elsewhere).get(path).status_code == 404


def test_what_the_site_does_not_have_is_not_there(cast, browser_of):
    """Neither an admin nor pages of allauth that nobody meant to serve."""
    before = rows()

    for person in PEOPLE:
        browser = browser_of(cast.person(person))
        assert {browser.get(path).status_code for path in _NOT_THERE} == {404}
        assert {browser.post(path).status_code for path in _NOT_THERE} == {404}

    assert rows() == before
