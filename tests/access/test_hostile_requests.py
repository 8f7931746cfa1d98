"""A learner who sends what no form of the site would: nothing breaks, and nothing that was not theirs changes."""

import itertools

import pytest
from django.test import Client
from django.urls import reverse

from quizzes.models import Response
from tests.access.cast import Cast, arguments, fields, make_cast, rows
from tests.access.table import FORMS
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db

SCRIPT = "</textarea><script>alert(1)</script><img src=x>"
VALUES = (
    "", "\0", "a\0b", "9" * 400, "-1", "1e999", "NaN", "٣", "²", "1_000", "../../etc/passwd", SCRIPT, "' OR 1=1 --",
    "{{7*7}}", "\r\nSet-Cookie: a=b", "\u202e", "🙂", "[]", "null", "2147483648", "99999999999999999999", "x" * 70_000,
)  # fmt: skip
URLENCODED = "application/x-www-form-urlencoded"
BODIES = (
    ("application/json", b"{}"),
    ("application/json", b"\xff"),
    ("text/plain; charset=utf-7", b"+AGE-"),
    ("", b"x"),
    ("multipart/form-data", b"--"),
    ("multipart/form-data; boundary=x", b"no parts"),
    ("multipart/form-data; boundary=" + "x" * 300, b"--"),
    ("multipart/form-data; boundary=b", b'--b\r\nContent-Disposition: form-data; name="source"; filename="x"\r\n\r\n1'),
    (URLENCODED + "; charset=nonsense", b"a=b"),
    (URLENCODED, b"&".join(b"a%d=1" % number for number in range(2_000))),
    (URLENCODED, b"source=" + b"x" * 3_000_000),
    (URLENCODED, b"source=%ed%a0%80&choice=%00&number=%ff&revision=%fe"),
)


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def owner(cast, signed_in) -> Client:
    return _unbroken(signed_in(cast.owner))


def _unbroken(browser: Client) -> Client:
    browser.raise_request_exception = False  # a fault of ours is then a status to look at
    return browser


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(FORMS) - {"account_logout"}))
def test_no_field_of_no_form_breaks_the_site(name, cast, owner):
    path, form = reverse(name, args=arguments(cast, name)), fields(cast, name)

    for field, value in itertools.product([*form, "next", "unknown"], VALUES):
        assert owner.post(path, form | {field: value}).status_code < 500, (field, value[:20])


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(FORMS) - {"account_logout"}))
def test_no_body_breaks_the_site(name, cast, owner):
    path = reverse(name, args=arguments(cast, name))

    for content_type, body in BODIES:
        answer = owner.generic("POST", path, body, content_type=content_type)
        assert answer.status_code < 500, (content_type, body[:20])


def test_what_is_too_large_is_refused_whole(cast, owner):
    path = reverse("submit", args=["attention"])
    before = rows()

    whole = owner.post(path, {"source": "x" * 3_000_000, "kind": "submit"})
    many = owner.generic("POST", path, BODIES[9][1], content_type=URLENCODED)
    long = owner.post(path, {"source": "x = 1\n" * 15_000, "kind": "submit"})

    assert (whole.status_code, many.status_code) == (400, 400)
    assert "may have 65,536" in long.content.decode()
    assert rows() == before


@pytest.mark.parametrize(
    "path",
    [
        "/tests/99999999999999999999/",
        "/tests/9223372036854775808/open/",
        "/tests/٣/",
        "/cohorts/99999999999999999999/",
        "/cohorts/99999999999999999999/results.csv",
        "/sittings/{sitting}/questions/0/",
        "/sittings/{sitting}/questions/99999999999999999999/",
        "/sittings/{sitting}/questions/99999999999999999999/flag/",
        "/sittings/{sitting}/questions/-1/",
        "/sittings/00000000-0000-0000-0000-000000000000/review/",
        "/concepts/%00/",
        "/%ff%fe",
        "/modules/" + "x" * 5_000 + "/",
        "/static/../../etc/passwd",
        "/static/%2e%2e/%2e%2e/manage.py",
        "/static/%00",
    ],
)
def test_no_address_breaks_the_site_or_leads_out_of_it(path, cast, owner):
    for browser in (owner, _unbroken(Client())):
        for ask in (browser.get, browser.post):
            answer = ask(path.format(sitting=cast.open_sitting.pk))
            assert answer.status_code in (302, 400, 404, 405), answer.status_code
            if answer.status_code == 302:
                assert answer["Location"].startswith("/accounts/login/?next=/")


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-Host": "evil.example"},
        {"Cookie": "sessionid=\xff; csrftoken=<script>; messages=abc"},
        {"Cookie": "sessionid=" + "x" * 9_000},
        {"Accept": "\xff/;q=z"},
        {"Accept": "x" * 9_000},
        {"X-Forwarded-For": "garbage, 1.2.3.4"},
        {"X-Request-ID": "a\nb"},
        {"Range": "bytes=9-"},
        {"Referer": "\xff"},
        {"Origin": "null"},
        {"HX-Request": "true"},
    ],
)
def test_no_header_breaks_the_site(headers, cast, owner):
    for path in ("/", reverse("account_login"), reverse("question", args=[cast.open_sitting.pk, 1])):
        for ask in (owner.get, owner.post):
            answer = ask(path, headers=headers)
            assert answer.status_code < 500
            assert "evil.example" not in answer.headers.get("Location", "") + answer.content.decode()


@pytest.mark.parametrize("host", ["evil.example", "testserver.evil.example", "testserver@evil.example", ""])
def test_a_request_for_another_host_is_refused(host, owner):
    assert owner.get("/", headers={"host": host}).status_code == 400


def test_behind_a_socket_a_request_has_no_address_and_people_can_sign_in(cast):
    form = {"login": cast.owner.email, "password": PASSWORD}

    answer = Client().post(reverse("account_login"), form, REMOTE_ADDR="")

    assert answer.status_code == 302


@pytest.mark.parametrize(
    "then",
    ["https://evil.example/", "//evil.example/", "/\\evil.example", "///evil.example", "https:evil.example",
     "javascript:alert(1)", "http:///evil.example", "\thttps://evil.example"],
)  # fmt: skip
def test_signing_in_and_out_lead_to_no_other_site(cast, then):
    for name in ("account_login", "account_logout"):
        browser = Client()
        path = f"{reverse(name)}?next={then}"
        answer = browser.post(path, {"login": cast.owner.email, "password": PASSWORD, "next": then})
        assert answer.status_code == 302
        assert answer["Location"] in (reverse("home"), reverse("account_login")), answer["Location"]


def test_an_answer_that_is_none_of_the_options_is_stored_nowhere(cast, owner):
    for slot in cast.open_sitting.slots.all():
        path = reverse("question", args=[cast.open_sitting.pk, slot.position])
        for form in ({"choice": "99"}, {"choice": ["1", "99"]}, {"choice": "-1"}, {"number": "99 apples"}):
            owner.post(path, {**form, "revision": "0"})

    stored = Response.objects.filter(slot__sitting=cast.open_sitting).exclude(answer=None)
    assert not stored.exists()
