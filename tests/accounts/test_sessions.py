"""Sessions: they outlive a restart, end with the password, and travel in cookies that scripts and other sites miss."""

import http.client
import re
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from tests.factories import PASSWORD, make_user
from tests.servers import free_port
from tests.up import ROOT, environment

NEW = "another long enough phrase"


@pytest.mark.django_db
def test_changed_password_ends_the_sessions_elsewhere_and_keeps_this_one(signed_in):
    user = make_user()
    here, elsewhere = signed_in(user), signed_in(user)

    here.post(reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})

    assert here.get(reverse("home")).status_code == 200
    assert elsewhere.get(reverse("home")).status_code == 302


@pytest.mark.django_db
def test_signing_in_draws_a_new_session_so_that_nobody_can_plant_one():
    user, client = make_user(), Client()
    client.get(reverse("account_login"))
    session = client.session
    session["planted"] = "x"
    session.save()
    client.cookies["sessionid"] = session.session_key

    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})

    assert client.cookies["sessionid"].value != session.session_key
    assert not Session.objects.filter(pk=session.session_key).exists()


@pytest.mark.django_db
def test_signing_out_deletes_the_session(signed_in):
    client = signed_in(make_user())

    client.post(reverse("account_logout"))

    assert not Session.objects.exists()


@pytest.mark.django_db
def test_five_wrong_confirmations_lock_the_person_at_that_address_alone(signed_in):
    victim, neighbour = make_user(), make_user()
    client = signed_in(victim)
    path = reverse("account_reauthenticate")

    answers = [client.post(path, {"password": f"wrong {number}"}).status_code for number in range(5)]

    assert answers[-1] == 429
    assert signed_in(neighbour).post(path, {"password": PASSWORD}).status_code == 302
    sign_in = {"login": victim.email, "password": PASSWORD}
    assert Client().post(reverse("account_login"), sign_in, REMOTE_ADDR="203.0.113.7").status_code == 302


class _Browser:
    """As much of a browser as cookies need, before a server of its own behind a proxy that ends TLS."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.cookies: SimpleCookie = SimpleCookie()

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        headers = {
            "Host": "courses.example.org",
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": "198.51.100.1",
            "Referer": "https://courses.example.org/",
            "Cookie": "; ".join(f"{name}={cookie.value}" for name, cookie in self.cookies.items()),
            "Content-Type": "application/x-www-form-urlencoded",
        }
        connection.request(method, path, urllib.parse.urlencode(form or {}), headers)
        response = connection.getresponse()
        for line in response.headers.get_all("Set-Cookie") or []:
            self.cookies.load(line)
        body = response.read().decode()
        connection.close()
        return response.status, response.headers.get("Location", ""), body

    def sign_in(self, email: str, password: str) -> int:
        token = re.search(r'csrfmiddlewaretoken" value="([^"]+)"', self.ask("GET", "/accounts/login/")[2])
        assert token is not None
        form = {"login": email, "password": password, "csrfmiddlewaretoken": token[1]}
        return self.ask("POST", "/accounts/login/", form)[0]


@contextmanager
def _serving(environment: dict[str, str], port: int) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "courseware.wsgi", "-b", f"127.0.0.1:{port}", "--no-control-socket"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                _Browser(port).ask("GET", "/accounts/login/")
                break
            except OSError:
                if time.monotonic() > deadline or process.poll() is not None:
                    raise
                time.sleep(0.2)
        yield
    finally:
        process.terminate()
        process.wait(timeout=30)


@pytest.mark.slow
def test_session_outlives_a_restart_and_its_cookies_are_for_this_site_over_tls_alone(tmp_path):
    port = free_port()
    told = environment(
        tmp_path,
        DJANGO_SETTINGS_MODULE="courseware.settings",
        SITE_URL="https://courses.example.org",
        PROXY_COUNT="1",
        DEBUG="yes",  # spares collecting the static files
    )
    for words in (["migrate", "-v0"], ["createcachetable"], ["first_start"]):
        said = subprocess.run(
            [sys.executable, "manage.py", *words], cwd=ROOT, env=told, check=True, capture_output=True, text=True
        ).stdout
    email, password = re.search(r"(learner@example\.org)\s+(\S+)", said).groups()
    browser = _Browser(port)

    with _serving(told, port):
        assert browser.sign_in(email, password) == 302
        assert browser.ask("GET", "/")[0] == 200
    with _serving(told, port):
        assert browser.ask("GET", "/")[0] == 200
        assert _Browser(port).ask("GET", "/")[0] == 302

    session, token = browser.cookies["sessionid"], browser.cookies["csrftoken"]
    assert [session["secure"], session["httponly"], session["samesite"]] == [True, True, "Lax"]
    assert [token["secure"], token["samesite"]] == [True, "Lax"]
    assert int(session["max-age"]) == 14 * 24 * 3600
    assert not session["domain"]
