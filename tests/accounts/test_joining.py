"""Joining a cohort by its code: who gets in, as what, and what a code never does."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth import get_user
from django.db import connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from courseware.accounts import joining
from courseware.accounts.joining import CodeRefusal, Visitor, cohort_for_code, plain_code
from courseware.accounts.models import Cohort, Enrolment, Role, User
from tests.factories import PASSWORD, make_cohort, make_enrolment, make_instructor, make_learner, make_user

pytestmark = pytest.mark.django_db

STRANGER = Visitor(None, "198.51.100.1")
WRONG = "22222222"


def sign_up(cohort: Cohort, *, client: Client | None = None, **fields):
    form = {"name": "Learner 2", "email": "new@example.org", "password": PASSWORD, **fields}
    return (client or Client()).post(reverse("join_cohort", args=[cohort.join_code]), form)


def join(client: Client, user: User, cohort: Cohort, **fields):
    return client.post(reverse("join_cohort", args=[cohort.join_code]), {"person": str(user.uuid), **fields})


@pytest.mark.parametrize("typed", ["ABCD2345", " ABCD2345 ", "ABCD-2345", "abcd 2345"])
def test_code_is_the_same_however_it_is_written(typed):
    cohort = make_cohort(join_code="ABCD2345")

    assert cohort_for_code(typed, STRANGER) == cohort


@pytest.mark.parametrize("typed", ["", "ABCD234", "ABCD23456", "ABCD234O", "ABCD\x002345", "%", "ABCD2345" * 9])
def test_what_no_code_can_look_like_opens_nothing(typed):
    make_cohort(join_code="ABCD2345")

    assert cohort_for_code(typed, STRANGER) is CodeRefusal.UNKNOWN
    assert plain_code(typed) == ""


def test_stranger_signs_up_is_signed_in_and_learns_in_the_cohort():
    cohort, client = make_cohort(), Client()

    answer = sign_up(cohort, client=client, email="New@Example.org")

    assert (answer.status_code, answer.url) == (302, reverse("home"))
    user = get_user(client)
    assert (user.email, user.name, user.is_staff) == ("new@example.org", "Learner 2", False)
    assert user.enrolments.get().role == Role.LEARNER
    assert f"You are in {cohort.name}." in client.get(answer.url).content.decode()


def test_form_sent_twice_makes_one_account_and_leaves_the_sender_signed_in():
    """The second of two clicks leaves before the first one's cookie arrives."""
    cohort, second = make_cohort(), Client()
    sign_up(cohort)

    answer = sign_up(cohort, client=second)

    assert answer.url == reverse("join_cohort", args=[cohort.join_code])
    assert "You are in this cohort" in second.get(answer.url).content.decode()
    assert User.objects.count() == Enrolment.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_sign_ups_at_once_make_one_account():
    cohort = make_cohort()

    def one(_) -> int:
        try:
            return sign_up(cohort).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(one, range(4))) == [302] * 4

    assert User.objects.count() == Enrolment.objects.count() == 1


def test_address_with_an_account_and_another_password_makes_none_and_does_not_say_that_it_is_taken():
    cohort, owner, client = make_cohort(), make_user(email="taken@example.org"), Client()

    answer = sign_up(cohort, client=client, email="taken@example.org", password="quite another phrase")

    html = answer.content.decode()
    assert answer.status_code == 200
    assert "No account was made with this address and this password." in html
    assert "already exists" not in html
    assert owner.name not in html
    assert not get_user(client).is_authenticated
    assert not Enrolment.objects.exists()
    owner.refresh_from_db()
    assert owner.check_password(PASSWORD)


def test_guessing_a_password_by_the_sign_up_form_is_locked_like_signing_in():
    cohort = make_cohort()
    make_user(email="taken@example.org")

    answers = [sign_up(cohort, email="taken@example.org", password=f"a wrong guess {n}").status_code for n in range(6)]

    assert answers[-1] == 429
    assert sign_up(cohort, email="taken@example.org").status_code == 429


def test_closed_account_is_not_opened_by_a_code():
    client, cohort = Client(), make_cohort()
    make_user(email="closed@example.org", is_active=False)

    sign_up(cohort, client=client, email="closed@example.org")

    assert not get_user(client).is_authenticated
    assert not Enrolment.objects.exists()


def test_somebody_signed_in_joins_with_one_button(signed_in):
    user, cohort = make_user(), make_cohort()
    client = signed_in(user)

    page = client.get(reverse("join_cohort", args=[cohort.join_code])).content.decode()
    answer = join(client, user, cohort)

    assert f"Join as {user.name}" in page
    assert answer.url == reverse("home")
    assert user.enrolments.get().role == Role.LEARNER


def test_joining_twice_is_joining_once(signed_in):
    user, cohort = make_user(), make_cohort()
    client = signed_in(user)

    answers = [join(client, user, cohort).status_code for _ in range(2)]

    assert answers == [302, 302]
    assert Enrolment.objects.count() == 1


def test_looking_at_the_page_joins_nobody(signed_in):
    cohort = make_cohort()

    signed_in(make_user()).get(reverse("join_cohort", args=[cohort.join_code]))

    assert not Enrolment.objects.exists()


def test_form_of_somebody_who_signed_out_meanwhile_enrols_nobody_else(signed_in):
    """On a shared computer a page may lie open while another person signs in."""
    one, another, cohort = make_user(), make_user(), make_cohort()

    answer = join(signed_in(another), one, cohort)
    sign_up(cohort, client=signed_in(another))

    assert answer.status_code == 200
    assert f"Join as {another.name}" in answer.content.decode()
    assert not Enrolment.objects.exists()


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.INSTRUCTOR])
def test_code_lowers_no_role(signed_in, role):
    enrolment = make_enrolment(role=role)

    join(signed_in(enrolment.user), enrolment.user, enrolment.cohort)

    enrolment.refresh_from_db()
    assert enrolment.role == role
    assert enrolment.withdrawn_at is None


def test_learner_who_withdrew_and_joins_again_is_back(signed_in):
    enrolment = make_enrolment(withdrawn_at=timezone.now(), section="B")

    join(signed_in(enrolment.user), enrolment.user, enrolment.cohort)

    enrolment.refresh_from_db()
    assert (enrolment.withdrawn_at, enrolment.role, enrolment.section) == (None, Role.LEARNER, "B")


def test_staff_that_left_come_back_by_code_as_learners_only(signed_in):
    enrolment = make_enrolment(role=Role.INSTRUCTOR, withdrawn_at=timezone.now())

    join(signed_in(enrolment.user), enrolment.user, enrolment.cohort)

    enrolment.refresh_from_db()
    assert (enrolment.withdrawn_at, enrolment.role) == (None, Role.LEARNER)


@pytest.mark.parametrize("role", ["instructor", "assistant"])
def test_role_that_was_sent_along_is_nobodys(signed_in, role):
    cohort, user = make_cohort(), make_user()

    join(signed_in(user), user, cohort, role=role, is_staff="1")
    sign_up(cohort, role=role, is_staff="1", is_superuser="1")

    assert set(Enrolment.objects.values_list("role", flat=True)) == {Role.LEARNER}
    assert not User.objects.filter(is_staff=True).exists()


@pytest.mark.parametrize("next_", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_joining_and_signing_up_lead_to_no_other_site(signed_in, next_):
    cohort, user = make_cohort(), make_user()
    path = f"{reverse('join_cohort', args=[cohort.join_code])}?next={next_}"

    answers = [
        signed_in(user).post(path, {"person": str(user.uuid), "next": next_}),
        Client().post(path, {"name": "A", "email": "a@example.org", "password": PASSWORD, "next": next_}),
    ]

    assert [answer.url for answer in answers] == [reverse("home")] * 2


def test_sign_ups_from_one_address_come_to_an_end(monkeypatch):
    cohort = make_cohort()
    monkeypatch.setattr(joining, "_SIGN_UPS", joining.Allowance("sign-ups", tries=2, seconds=600))

    answers = [sign_up(cohort, email=f"a{n}@example.org").status_code for n in range(3)]

    assert answers == [302, 302, 429]
    assert User.objects.count() == 2


def test_page_names_cohort_and_teachers_and_nobody_else():
    cohort = make_cohort(name="Spring <i>2027</i>")
    teacher, learner = make_instructor(cohort), make_learner(cohort)

    html = Client().get(reverse("join_cohort", args=[cohort.join_code])).content.decode()

    assert "Spring &lt;i&gt;2027&lt;/i&gt;" in html
    assert teacher.name in html
    assert learner.name not in html
    assert teacher.email not in html


def test_sign_in_link_comes_back_to_the_code(signed_in):
    cohort, user, client = make_cohort(), make_user(), Client()
    path = reverse("join_cohort", args=[cohort.join_code])

    answer = client.post(
        f"{reverse('account_login')}?next={path}", {"login": user.email, "password": PASSWORD, "next": path}
    )

    assert f"?next={path}" in Client().get(path).content.decode()
    assert answer.url == path
