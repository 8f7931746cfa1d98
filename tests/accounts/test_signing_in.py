import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db

ELSEWHERE = "203.0.113.7"


def sign_in(email: str, password: str, *, client: Client | None = None, address: str = "198.51.100.1"):
    client = client or Client()
    return client.post(reverse("account_login"), {"login": email, "password": password}, REMOTE_ADDR=address)


def test_right_password_signs_in_and_leads_home():
    user = make_user()

    answer = sign_in(user.email, PASSWORD)

    assert answer.status_code == 302
    assert answer.url == reverse("home")


def test_address_is_the_same_whatever_its_case():
    user = make_user(email="mixed@example.org")

    assert sign_in("Mixed@Example.org", PASSWORD).status_code == 302
    assert user.email == "mixed@example.org"


def test_wrong_password_says_so_and_signs_nobody_in():
    client = Client()

    answer = sign_in(make_user().email, "not this one", client=client)

    assert answer.status_code == 200
    assert client.get(reverse("home")).status_code == 302


def test_inactive_account_cannot_sign_in():
    user = make_user(is_active=False)
    client = Client()

    sign_in(user.email, PASSWORD, client=client)

    assert client.get(reverse("home")).status_code == 302


def test_fifth_wrong_password_locks_even_the_right_one_out():
    user = make_user()
    for _ in range(5):
        sign_in(user.email, "wrong")

    answer = sign_in(user.email, PASSWORD)

    assert answer.status_code == 429
    assert b"quarter of an hour" in answer.content


def test_lock_holds_for_that_address_alone():
    """A stranger who guesses must not keep the learner out, nor lock a classroom behind one address."""
    victim, neighbour = make_user(), make_user()
    for _ in range(6):
        sign_in(victim.email, "wrong")

    assert sign_in(victim.email, PASSWORD, address=ELSEWHERE).status_code == 302
    assert sign_in(neighbour.email, PASSWORD).status_code == 302


def test_sign_in_never_leads_to_another_site():
    user = make_user()

    answer = Client().post(
        reverse("account_login") + "?next=https://evil.example/",
        {"login": user.email, "password": PASSWORD, "next": "https://evil.example/"},
    )

    assert answer.url == reverse("home")


def test_signing_out_needs_a_post(signed_in):
    client = signed_in(make_user())

    client.get(reverse("account_logout"))
    assert client.get(reverse("account_change_password")).status_code == 200

    client.post(reverse("account_logout"))
    assert client.get(reverse("account_change_password")).status_code == 302


def test_changed_password_is_the_one_that_signs_in(signed_in):
    user = make_user()
    new = "another long enough phrase"

    answer = signed_in(user).post(
        reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": new, "password2": new}
    )

    assert answer.status_code == 302
    assert sign_in(user.email, new).status_code == 302
    assert sign_in(user.email, PASSWORD).status_code == 200


@pytest.mark.parametrize("weak", ["short", "password123", "1234567890"])
def test_weak_password_is_refused(signed_in, weak):
    user = make_user()

    signed_in(user).post(
        reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": weak, "password2": weak}
    )

    assert sign_in(user.email, PASSWORD).status_code == 302


def test_nobody_signs_up():
    assert Client().get("/accounts/signup/").status_code == 404
