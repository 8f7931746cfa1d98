"""What may be typed into the form for signing up."""

import pytest
from django.contrib.auth import get_user
from django.test import Client
from django.urls import reverse

from courseware.accounts.models import Cohort, User
from tests.factories import PASSWORD, make_cohort

pytestmark = pytest.mark.django_db


def _sign_up(cohort: Cohort, *, client: Client | None = None, **fields):
    form = {"name": "Learner 2", "email": "new@example.org", "password": PASSWORD, **fields}
    return (client or Client()).post(reverse("join_cohort", args=[cohort.join_code]), form)


@pytest.mark.parametrize(
    "name",
    ["", "   ", "a" * 151, "two\nlines", "a\x00b", "a\x1b[31mb", "\u202eevil", "\u2066x", "\u2028", "…", "a\u0085b"],
)
def test_name_that_nobody_could_read_is_refused_in_words(name):
    answer = _sign_up(make_cohort(), name=name)

    assert answer.status_code == 200
    assert 'class="fault"' in answer.content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "name",
    [
        "a" * 150,
        "<script>alert(1)</script>",
        "李小龍",
        "علی\u200cرضا",
        "O’Brien & {{ 7 }} {% x %}",
        '" onload="',
        "=1+1",
    ],
)
def test_any_readable_name_is_kept_as_it_is_and_shown_as_text(name):
    cohort, client = make_cohort(), Client()

    _sign_up(cohort, client=client, name=name)

    assert get_user(client).name == name
    html = client.get(reverse("home")).content.decode()
    assert "<script>alert" not in html
    assert '" onload="' not in html


def test_name_loses_spaces_around_and_doubled_ones():
    _sign_up(make_cohort(), name="  Ada   Lovelace ")

    assert User.objects.get().name == "Ada Lovelace"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("email", "nobody"),
        ("email", "a@b\nBcc: c@example.org"),
        ("email", f"{'a' * 250}@example.org"),
        ("password", "short"),
        ("password", "password123"),
        ("password", "learner2learner2"),
        ("password", "x" * 201),
    ],
)
def test_form_with_a_fault_makes_nobody(field, value):
    fields = {field: value, "name": "learner2learner"} if field == "password" else {field: value}

    answer = _sign_up(make_cohort(), **fields)

    assert answer.status_code == 200
    assert 'class="fault"' in answer.content.decode()
    assert f'value="{value}"' not in answer.content.decode() or field != "password"
    assert not User.objects.exists()
