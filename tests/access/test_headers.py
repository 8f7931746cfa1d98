"""What every answer tells browsers and caches, whoever asked and however it ended."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.access.cast import arguments, fields, make_cast
from tests.access.table import EXPECTED, NAMES

pytestmark = pytest.mark.django_db

_ELSEWHERE = {"readyz", "healthz", "metrics"}  # for machines; they hold nothing of anybody


@pytest.fixture
def answers(signed_in):
    """Every answer of the site by name: pages, redirects, refusals, files, JSON and what is not there."""
    cast = make_cast()
    found = {}
    for who in ("stranger", "owner", "instructor"):
        for name in NAMES:
            browser = Client() if who == "stranger" else signed_in(cast.person(who))
            path = reverse(name, args=arguments(cast, name))
            found[f"GET {name} as {who}"] = browser.get(path)
            if EXPECTED[name, "POST"][who] in ("403", "404", "405"):
                found[f"POST {name} as {who}"] = browser.post(path, fields(cast, name))
    owner = signed_in(cast.owner)
    found["a page that is not there"] = owner.get("/no/such/page/")
    found["another host"] = owner.get("/", headers={"host": "evil.example"})
    found["too much"] = owner.post(reverse("submit", args=["attention"]), {"source": "x" * 3_000_000})
    return {name: answer for name, answer in found.items() if not set(name.split()) & _ELSEWHERE}


def test_answers_are_kept_by_no_cache_on_the_way_and_the_private_ones_by_no_browser(answers):
    for name, answer in answers.items():
        said = {word.strip() for word in answer.headers.get("Cache-Control", "").split(",")}
        page = name.split()[1]
        # What others did, and what is asked in a test.
        is_guarded = page.startswith("cohort") or page in ("question", "hand_in", "review")
        assert "private" in said, name
        assert said & ({"no-store"} if is_guarded and answer.status_code == 200 else {"no-store", "no-cache"}), name
        assert "public" not in said, name


def test_answers_are_framed_by_nobody_sniffed_by_nobody_and_run_the_sites_own_scripts_alone(answers):
    for name, answer in answers.items():
        policy = answer.headers["Content-Security-Policy"]
        rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
        assert rules["default-src"] == "'none'", name
        assert rules["script-src"] == "'self'", name
        assert rules["frame-ancestors"] == "'none'", name
        assert rules["form-action"] == "'self'", name
        assert rules["base-uri"] == "'none'", name
        assert rules["connect-src"] == "'self'", name
        assert "http" not in policy, name
        assert answer.headers["X-Content-Type-Options"] == "nosniff", name
        assert answer.headers["Referrer-Policy"] == "same-origin", name
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin", name
        assert answer.headers["X-Frame-Options"] == "DENY", name
        assert not {"Server", "X-Powered-By"} & set(answer.headers), name
    for name in ("another host", "too much"):
        assert answers[name].status_code == 400
        assert "none of it was taken" in answers[name].content.decode()
