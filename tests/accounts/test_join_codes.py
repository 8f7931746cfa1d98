"""The code itself: wrong ones, guessing, and what staff may do with it."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from courseware.accounts.joining import CodeRefusal, Visitor, cohort_for_code
from courseware.accounts.models import AuditEntry, Cohort, Role, User
from tests.factories import PASSWORD, make_cohort, make_enrolment, make_instructor, make_user

pytestmark = pytest.mark.django_db

STRANGER = Visitor(None, "198.51.100.1")
WRONG = "22222222"


def look(code: str, *, client: Client | None = None, address: str = "198.51.100.1"):
    return (client or Client()).get(reverse("join_cohort", args=[code]), REMOTE_ADDR=address)


def test_wrong_code_says_what_to_do_and_keeps_what_was_typed():
    answer = Client().post(reverse("join"), {"code": "<b>x</b>"})

    html = answer.content.decode()
    assert "No cohort takes this code." in html
    assert "&lt;b&gt;x&lt;/b&gt;" in html


def test_link_with_a_wrong_code_is_not_found_and_asks_for_the_code():
    answer = Client().get(reverse("join_cohort", args=[WRONG]))

    assert answer.status_code == 404
    assert "No cohort takes this code." in answer.content.decode()


def test_closed_code_answers_as_if_there_were_none():
    cohort = make_cohort(join_code="ABCD2345", joining_is_open=False)
    client = Client()

    closed, unknown = look("ABCD2345", client=client), look(WRONG, client=client)
    form = {"name": "Learner 2", "email": "new@example.org", "password": PASSWORD}
    client.post(reverse("join_cohort", args=[cohort.join_code]), form)

    apart = re.compile(rb'(name="csrfmiddlewaretoken"|name="code") value="[^"]+"')  # the token, and what was typed
    assert apart.sub(b"", closed.content) == apart.sub(b"", unknown.content)
    assert closed.status_code == unknown.status_code == 404
    assert not User.objects.exists()


def test_guessing_is_stopped_even_for_a_right_guess_and_for_that_address_alone():
    cohort = make_cohort()

    answers = [look(WRONG).status_code for _ in range(31)]

    assert answers == [404] * 30 + [429]
    assert look(cohort.join_code).status_code == 429
    assert look(cohort.join_code, address="203.0.113.7").status_code == 200


def test_guessing_of_somebody_signed_in_is_counted_against_them_alone(signed_in):
    cohort, guesser, neighbour = make_cohort(), make_user(), make_user()
    path = reverse("join_cohort", args=[cohort.join_code])

    for _ in range(10):
        signed_in(guesser).post(reverse("join"), {"code": WRONG})

    assert signed_in(guesser).get(path).status_code == 429
    assert signed_in(neighbour).get(path).status_code == 200
    assert Client().get(path).status_code == 200


def test_right_codes_are_not_counted():
    cohort, client = make_cohort(), Client()

    answers = {client.get(reverse("join_cohort", args=[cohort.join_code])).status_code for _ in range(40)}

    assert answers == {200}


def test_guessing_is_let_go_on_after_a_while(time_machine):
    time_machine.move_to("2026-11-29T12:00:00Z", tick=False)
    for _ in range(30):
        STRANGER.was_wrong()
    assert not STRANGER.may_try()

    time_machine.shift(61)

    assert STRANGER.may_try()


def change(client: Client, cohort: Cohort, **form):
    return client.post(reverse("cohort_join_code", args=[cohort.pk]), form)


def test_staff_see_the_link_on_the_cohorts_page(signed_in):
    cohort = make_cohort()

    html = signed_in(make_instructor(cohort)).get(reverse("cohort", args=[cohort.pk])).content.decode()

    assert f"http://testserver/join/{cohort.join_code}/" in html


def test_renewed_code_replaces_the_earlier_one_and_is_written_down(signed_in):
    cohort = make_cohort(join_code="ABCD2345")
    teacher = make_instructor(cohort)

    answer = change(signed_in(teacher), cohort, action="renew", seen="ABCD2345")

    cohort.refresh_from_db()
    assert answer.status_code == 302
    assert cohort.join_code != "ABCD2345"
    assert cohort_for_code("ABCD2345", STRANGER) is CodeRefusal.UNKNOWN
    assert cohort_for_code(cohort.join_code, STRANGER) == cohort
    entry = AuditEntry.objects.get()
    assert (entry.who, entry.verb, entry.cohort) == (teacher, "renew join code", cohort)
    assert (entry.before, entry.after) == ("ABCD2345", cohort.join_code)


def test_button_pressed_twice_renews_once(signed_in):
    cohort = make_cohort(join_code="ABCD2345")
    client = signed_in(make_instructor(cohort))

    codes = []
    for _ in range(2):
        change(client, cohort, action="renew", seen="ABCD2345")
        codes.append(Cohort.objects.get().join_code)

    assert codes[0] == codes[1] != "ABCD2345"
    assert AuditEntry.objects.count() == 1


def test_closing_and_opening_are_each_written_down_once(signed_in):
    cohort = make_cohort()
    client = signed_in(make_instructor(cohort))

    for action in ("close", "close", "open", "open"):
        change(client, cohort, action=action)

    assert list(AuditEntry.objects.order_by("pk").values_list("verb", "before", "after")) == [
        ("close joining", "open", "closed"),
        ("open joining", "closed", "open"),
    ]
    assert Cohort.objects.get().joining_is_open


def test_renewing_does_not_open_what_was_closed(signed_in):
    cohort = make_cohort(join_code="ABCD2345", joining_is_open=False)

    change(signed_in(make_instructor(cohort)), cohort, action="renew", seen="ABCD2345")

    assert not Cohort.objects.get().joining_is_open


@pytest.mark.parametrize(("ask", "words"), [("renew", "A new code takes the place"), ("close", "lets nobody in until")])
def test_change_that_others_would_feel_is_asked_about_first(signed_in, ask, words):
    cohort = make_cohort()

    html = signed_in(make_instructor(cohort)).get(reverse("cohort_join_code", args=[cohort.pk]), {"ask": ask})

    assert words in html.content.decode()
    assert not AuditEntry.objects.exists()


def test_assistant_sees_the_code_and_may_not_change_it(signed_in):
    enrolment = make_enrolment(role=Role.ASSISTANT)
    client, cohort = signed_in(enrolment.user), enrolment.cohort

    page = client.get(reverse("cohort_join_code", args=[cohort.pk]), {"ask": "renew"}).content.decode()
    answer = change(client, cohort, action="renew", seen=cohort.join_code)

    assert cohort.join_code in page
    assert "<form" not in page.split("<main")[1]
    assert answer.status_code == 403
    assert not AuditEntry.objects.exists()


def test_unknown_action_changes_nothing(signed_in):
    cohort = make_cohort()

    assert change(signed_in(make_instructor(cohort)), cohort, action="delete").status_code == 302
    assert not AuditEntry.objects.exists()
