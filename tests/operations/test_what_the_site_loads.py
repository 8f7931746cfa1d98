"""The site's process never holds arithmetic, PyTorch or the judge's half, whatever it was asked for."""

import json
import subprocess
import sys

import pytest

from tests.up import ROOT, environment

FORBIDDEN = ("numpy", "torch", "grader.judge", "grader.sandbox")
# Runs in a process of its own, on a site of its own: asks the real WSGI application for each page, then looks around.
PROGRAM = """
import json, sys
from courseware.wsgi import application
from django.conf import settings
from django.core.management import call_command
from django.test import Client, RequestFactory
from django.urls import reverse

settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
call_command("migrate", verbosity=0)
call_command("createcachetable", verbosity=0)
from tests.access.cast import arguments, fields, make_cast
from tests.access.table import EXPECTED, NAMES

def ask(method, path, cookies, form=None):
    environ = getattr(RequestFactory(), method)(path, form, HTTP_COOKIE=cookies).environ
    answered = []
    body = b"".join(application(environ, lambda status, headers: answered.append(int(status[:3]))))
    return answered[0]

def address(name):
    return reverse(name, args=arguments(cast, name))

def cookies_of(person):
    browser = Client()
    browser.force_login(person, backend="allauth.account.auth_backends.AuthenticationBackend")
    return "; ".join(f"{name}={morsel.value}" for name, morsel in browser.cookies.items())

cast = make_cast()
answers = {}
for person in ("owner", "instructor"):
    cookies = cookies_of(cast.person(person))
    for name in NAMES:
        if name != "account_logout":
            answers.setdefault(name, []).append(ask("get", address(name), cookies))
    answers.setdefault("submit", []).append(ask("post", address("submit"), cookies, fields(cast, "submit")))
print(json.dumps({"answers": answers, "modules": sorted(sys.modules)}))
"""


@pytest.mark.slow
def test_the_site_holds_no_arithmetic_after_serving_every_page(tmp_path):
    finished = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env=environment(tmp_path, SITE_URL="http://testserver"),
        capture_output=True,
        text=True,
        timeout=150,
    )

    assert finished.returncode == 0, finished.stderr
    said = json.loads(finished.stdout)
    assert not [name for name, answers in said["answers"].items() if max(answers) >= 500]
    assert sum(200 in answers for answers in said["answers"].values()) > 20
    assert "django" in said["modules"]
    assert not [
        module for module in said["modules"] for name in FORBIDDEN if module == name or module.startswith(f"{name}.")
    ]
