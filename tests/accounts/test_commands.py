"""What an operator does at the command line: cohorts, passwords, lost second factors."""

import io

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from courseware.accounts.models import AuditEntry, Cohort, Role
from quizzes.catalogue import current_bank
from quizzes.models import Assignment
from tests.factories import PASSWORD, make_cohort, make_user

pytestmark = pytest.mark.django_db

NEW = "another long enough phrase"


def run(*words: str, answer: str = "", monkeypatch=None) -> str:
    out = io.StringIO()
    if monkeypatch is not None:
        monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    call_command(*words, stdout=out)
    return out.getvalue()


def blueprints_of(cohort):
    return set(Assignment.objects.filter(cohort=cohort).values_list("blueprint", flat=True))


def test_added_cohort_has_its_tests_its_instructor_and_a_link():
    teacher = make_user(email="t@example.org")

    said = run("add_cohort", "Spring 2027", "--time-zone", "Europe/Vienna", "--instructor", "T@example.org")

    cohort = Cohort.objects.get()
    assert (cohort.name, cohort.module, cohort.time_zone) == ("Spring 2027", "transformers", "Europe/Vienna")
    assert blueprints_of(cohort) == set(current_bank().blueprints)
    assert teacher.enrolments.get().role == Role.INSTRUCTOR
    assert f"http://testserver/join/{cohort.join_code}/" in said
    assert (AuditEntry.objects.get().who, AuditEntry.objects.get().verb) == (None, "add cohort")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["Taken"], "already exists"),
        (["Spring", "--time-zone", "Mars/Olympus"], "Mars/Olympus is not the name of a time zone"),
        (["Spring", "--instructor", "nobody@example.org"], "Nobody here has the address"),
        (["two\nlines"], "control characters"),
        (["x" * 121], "120"),
        (["  "], "blank"),
    ],
)
def test_cohort_that_cannot_be_is_refused_in_words_and_leaves_nothing(words, says):
    make_cohort(name="Taken")

    with pytest.raises(CommandError, match=says):
        run("add_cohort", *words)

    assert Cohort.objects.count() == 1
    assert not Assignment.objects.exists()


def test_first_start_gives_its_cohort_the_same():
    run("first_start")

    assert blueprints_of(Cohort.objects.get()) == set(current_bank().blueprints)


def test_password_that_was_set_is_the_one_that_signs_in_and_ends_sessions(signed_in, monkeypatch):
    user = make_user()
    elsewhere = signed_in(user)

    said = run("set_password", user.email.upper(), answer=f"{NEW}\n", monkeypatch=monkeypatch)

    user.refresh_from_db()
    assert user.check_password(NEW)
    assert NEW not in said
    assert elsewhere.get(reverse("home")).status_code == 302
    entry = AuditEntry.objects.get()
    assert (entry.verb, entry.what, entry.before, entry.after) == ("set password", f"user {user.uuid}", "", "")


def test_drawn_password_is_printed_once():
    user = make_user()

    password = run("set_password", user.email, "--draw-password").split()[-1]

    user.refresh_from_db()
    assert user.check_password(password)


def test_set_password_lifts_a_lock():
    user, client = make_user(), Client()
    path = reverse("account_login")

    def sign_in(password: str) -> int:
        return client.post(path, {"login": user.email, "password": password}).status_code

    assert [sign_in("wrong") for _ in range(6)][-1] == 429

    password = run("set_password", user.email, "--draw-password").split()[-1]

    assert sign_in(password) == 302


@pytest.mark.parametrize("weak", ["short", "password123"])
def test_weak_password_is_refused_and_the_earlier_one_stays(weak, monkeypatch):
    user = make_user()

    with pytest.raises(CommandError):
        run("set_password", user.email, answer=f"{weak}\n", monkeypatch=monkeypatch)

    user.refresh_from_db()
    assert user.check_password(PASSWORD)


def test_password_of_nobody_is_an_error():
    with pytest.raises(CommandError, match="Nobody here has the address"):
        run("set_password", "nobody@example.org", "--draw-password")


def test_lost_second_factor_is_turned_off_by_the_operator():
    user, other = make_user(), make_user()
    for owner in (user, other):
        Authenticator.objects.create(user=owner, type="totp", data={"secret": "A" * 32})

    said = run("set_password", user.email, "--draw-password", "--drop-second-factor")

    assert "The second factor is off." in said
    assert list(Authenticator.objects.values_list("user", flat=True)) == [other.pk]
    assert AuditEntry.objects.filter(verb="drop second factor", what=f"user {user.uuid}").exists()


def test_second_factor_stays_unless_the_operator_says_so():
    user = make_user()
    Authenticator.objects.create(user=user, type="totp", data={"secret": "A" * 32})

    run("set_password", user.email, "--draw-password")

    assert Authenticator.objects.filter(user=user).exists()
