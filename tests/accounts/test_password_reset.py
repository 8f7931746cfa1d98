"""Setting a lost password anew by a letter: what the letter holds, how long it counts, and what nobody learns."""

import re
import smtplib

import pytest
from django.contrib.auth import get_user
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.urls import reverse

from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db

NEW = "another long enough phrase"


class UnreachableServer(EmailBackend):
    """A mail server that answers nobody."""

    def send_messages(self, messages):  # noqa: ARG002
        raise smtplib.SMTPServerDisconnected("Connection unexpectedly closed")


def ask(email: str, *, client: Client | None = None, address: str = "198.51.100.1", **headers):
    return (client or Client()).post(
        reverse("account_reset_password"), {"email": email}, REMOTE_ADDR=address, **headers
    )


def link(letter: int = -1) -> str:
    return re.search(r"http://testserver(/accounts/password/reset/\S+)", mail.outbox[letter].body)[1]


def choose(client: Client, path: str, password: str = NEW, again: str | None = None):
    form = client.get(path)
    if form.status_code != 302:
        return form
    return client.post(form.url, {"password1": password, "password2": again or password})


def signs_in(user, password: str) -> bool:
    client = Client()
    client.post(reverse("account_login"), {"login": user.email, "password": password})
    return get_user(client).is_authenticated


def test_letter_leads_to_a_new_password_that_signs_in():
    user = make_user()

    answer = ask(user.email.upper())
    done = choose(Client(), link())

    assert answer.url == reverse("account_reset_password_done")
    assert done.url == reverse("account_reset_password_from_key_done")
    assert signs_in(user, NEW)
    assert not signs_in(user, PASSWORD)


def test_letter_is_plain_and_says_what_to_do_and_how_long():
    user = make_user()

    ask(user.email)

    letter = mail.outbox[0]
    assert (letter.to, letter.from_email) == ([user.email], "courseware@testserver")
    assert letter.subject == "A new password for http://testserver"
    assert "It works once, within 60 minutes" in letter.body
    assert not letter.alternatives


def test_owner_is_told_that_the_password_was_set():
    ask(make_user().email)

    choose(Client(), link())

    assert mail.outbox[-1].subject == "Your password was set anew"


def test_link_counts_once():
    user = make_user()
    ask(user.email)
    path = link()
    choose(Client(), path)

    again = choose(Client(), path, "a third long enough phrase")

    assert "This link counts no longer" in again.content.decode()
    assert signs_in(user, NEW)


def test_link_counts_for_an_hour(time_machine):
    time_machine.move_to("2026-11-29T12:00:00Z", tick=False)
    user = make_user()
    ask(user.email)
    path = link()

    time_machine.shift(3601)

    assert "This link counts no longer" in Client().get(path).content.decode()
    time_machine.shift(-2)
    assert choose(Client(), path).url == reverse("account_reset_password_from_key_done")


def test_signing_in_spends_the_link():
    user = make_user()
    ask(user.email)

    assert signs_in(user, PASSWORD)

    assert "This link counts no longer" in Client().get(link()).content.decode()


def test_link_of_one_account_opens_no_other():
    one, another = make_user(), make_user()
    ask(one.email)
    ask(another.email)
    of_one, of_another = link(0).split("/"), link(1).split("/")

    swapped = "/".join([*of_another[:-2], of_one[-2], ""])

    assert "This link counts no longer" in Client().get(swapped).content.decode()


@pytest.mark.parametrize("key", ["x", "set-password", "a-b", "%00-%0d", "0" * 500])
def test_made_up_link_opens_nothing(key):
    answer = Client().get(f"/accounts/password/reset/1/{key}/")

    assert answer.status_code == 200
    assert "This link counts no longer" in answer.content.decode()


def test_key_leaves_the_address_before_the_form_is_shown():
    ask(make_user().email)

    form = Client().get(link())

    assert form.url.endswith("/set-password/")


@pytest.mark.parametrize("kind", ["unknown", "closed"])
def test_answer_tells_nobody_whether_there_is_an_account(kind):
    user = make_user()
    other = "nobody@example.org" if kind == "unknown" else make_user(is_active=False).email
    pages = []
    for email in (user.email, other):
        client = Client()
        answer = ask(email, client=client)
        pages.append((answer.status_code, answer.url, client.get(answer.url).content))

    assert pages[0] == pages[1]
    assert len(mail.outbox) == 2
    assert "/reset/" in link(0)
    assert mail.outbox[1].subject == "No account at http://testserver"
    assert mail.outbox[1].body.count("/accounts/password/reset/") == 1
    assert "/accounts/password/reset/\n" in mail.outbox[1].body


def test_page_says_where_the_letter_went(settings):
    client = Client()
    page = lambda: client.get(reverse("account_reset_password_done")).content.decode()  # noqa: E731

    settings.MAIL_LEAVES = False
    assert "This site sends no mail yet." in page()

    settings.MAIL_LEAVES = True
    assert "A letter is on its way." in page()


def test_link_names_the_address_of_the_site_whatever_host_was_asked(settings):
    settings.ALLOWED_HOSTS = ["testserver"]
    user = make_user()

    ask(user.email, headers={"host": "testserver:9999"})

    assert link().startswith("/accounts/password/reset/")
    assert "9999" not in mail.outbox[0].body


def test_server_that_takes_no_mail_is_logged_and_looks_no_different(settings, caplog):
    settings.EMAIL_BACKEND = f"{__name__}.UnreachableServer"

    answers = [ask(email) for email in (make_user().email, "nobody@example.org")]

    assert {answer.url for answer in answers} == {reverse("account_reset_password_done")}
    assert caplog.text.count("a letter could not be sent") == 2
    assert "reset/" not in "".join(record.getMessage() for record in caplog.records if record.levelname == "ERROR")


def test_fourth_letter_to_one_address_waits_and_others_do_not():
    user, neighbour = make_user(), make_user()

    answers = [ask(user.email) for _ in range(4)]

    assert [answer.status_code for answer in answers] == [302, 302, 302, 429]
    assert "Too many tries for now" in answers[-1].content.decode()
    assert ask("nobody@example.org").status_code == 302
    assert ask(neighbour.email).status_code == 302
    assert len([letter for letter in mail.outbox if letter.to == [user.email]]) == 3


def test_letters_asked_for_from_one_address_come_to_an_end():
    answers = [ask(f"nobody{n}@example.org").status_code for n in range(61)]

    assert answers[-1] == 429
    assert ask("nobody@example.org", address="203.0.113.7").status_code == 302


@pytest.mark.parametrize(
    "email", ["", "nobody", "a@b\r\nBcc: all@example.org", "<script>@example.org", "a" * 400 + "@b.org"]
)
def test_what_is_no_address_gets_no_letter(email):
    assert ask(email).status_code == 200
    assert not mail.outbox


@pytest.mark.parametrize(("password", "again"), [("short", None), ("password123", None), (NEW, "something else here")])
def test_weak_or_mistyped_password_is_not_set(password, again):
    user = make_user()
    ask(user.email)

    answer = choose(Client(), link(), password, again)

    assert 'class="fault"' in answer.content.decode()
    assert signs_in(user, PASSWORD)


def test_new_password_ends_the_sessions_that_were_open(signed_in):
    user = make_user()
    elsewhere = signed_in(user)
    ask(user.email)

    choose(Client(), link())

    assert elsewhere.get(reverse("home")).status_code == 302


def test_new_password_lifts_the_lock_that_mistakes_had_set():
    user = make_user()
    for _ in range(5):
        assert not signs_in(user, "wrong")
    assert not signs_in(user, PASSWORD)
    ask(user.email)

    choose(Client(), link())

    assert signs_in(user, NEW)


def test_reset_leads_to_no_other_site():
    user, client = make_user(), Client()

    answer = client.post(
        f"{reverse('account_reset_password')}?next=https://evil.example/",
        {"email": user.email, "next": "https://evil.example/"},
    )
    done = client.post(
        client.get(f"{link()}?next=https://evil.example/").url,
        {"password1": NEW, "password2": NEW, "next": "https://evil.example/"},
    )

    assert "evil.example" not in answer.url + done.url
