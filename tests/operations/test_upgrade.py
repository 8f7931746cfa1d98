"""An upgrade: a database as the first release left it, with a class in it, is migrated and serves its pages."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.operations.sites import Site, two_sites

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ROOT = Path(__file__).resolve().parents[2]
# Where each app's tables stood in the first release; later migrations are what an upgrade brings.
FIRST_RELEASE = dict.fromkeys(("accounts", "study", "quizzes", "grader"), "0001_first_tables")

# Rows are written through the models of that time: today's may know columns that are not there yet.
_FILL = """
import django
django.setup()
from datetime import timedelta
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.contrib.auth.hashers import make_password
from django.utils import timezone

loader = MigrationLoader(connection)
state = loader.project_state([node for node in loader.applied_migrations if node in loader.graph.nodes])
apps = state.apps
now = timezone.now()

def make(label, **fields):
    return apps.get_model(label).objects.create(**fields)

def person(email, name):
    return make("accounts.User", email=email, name=name, password=make_password("a long enough phrase"))

cohort = make("accounts.Cohort", name="Class of last year", module="transformers", join_code="ABCDEFGH")
learner, teacher = person("learner@example.org", "Learner"), person("teacher@example.org", "Teacher")
enrolment = make("accounts.Enrolment", user=learner, cohort=cohort, role="learner")
make("accounts.Enrolment", user=teacher, cohort=cohort, role="instructor")
make("study.Reading", user=learner, module="transformers", concept="scaled-dot-product-attention", depth="five",
     first_at=now, last_at=now)
make("quizzes.Assignment", cohort=cohort, blueprint="module-test", title="Test of last year")
make("grader.Draft", user=learner, exercise="attention", revision=3, source="draft of last year")
make("grader.Submission", user=learner, exercise="attention", exercise_digest="0" * 64, kind="submit", number=1,
     source="program of last year", state="finished", verdict="wrong", fault_of="learner", mark=4, marks_available=10,
     finished_at=now, started_at=now, queued_at=now - timedelta(minutes=1))
"""

_LOOK = """
import django
django.setup()
from django.conf import settings
from django.test import Client
from django.urls import reverse
from courseware.accounts.models import Cohort, User
from grader.models import Submission
from quizzes.models import Assignment

settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
cohort, submission = Cohort.objects.get(), Submission.objects.get()
assignment = Assignment.objects.get()

def sign_in(email):
    browser = Client()
    answer = browser.post(reverse("account_login"), {"login": email, "password": "a long enough phrase"})
    assert answer.status_code == 302, email
    return browser

def look(browser, name, *arguments, says=""):
    answer = browser.get(reverse(name, args=arguments))
    assert answer.status_code == 200, (name, answer.status_code)
    assert says in b"".join(answer).decode(), (name, says)  # a CSV comes in pieces

browser = sign_in("learner@example.org")
for name, arguments, says in (
    ("home", (), ""), ("module", ("transformers",), ""), ("card", ("scaled-dot-product-attention",), ""),
    ("assignments", (), "Test of last year"), ("assignment", (assignment.pk,), "Test of last year"),
    ("exercise", ("attention",), "draft of last year"), ("submission", (submission.pk,), "4"), ("status", (), ""),
):
    look(browser, name, *arguments, says=says)
learner = User.objects.get(email="learner@example.org")
teacher = sign_in("teacher@example.org")
for name, arguments in (
    ("cohorts", ()), ("cohort", (cohort.pk,)), ("cohort_learner", (cohort.pk, learner.uuid)),
    ("cohort_submission", (cohort.pk, submission.pk)), ("cohort_csv", (cohort.pk,)),
):
    look(teacher, name, *arguments)

# And it goes on: the learner sits a test that was set before the upgrade.
opened = browser.post(reverse("sitting_open", args=[assignment.pk]))
assert browser.get(opened["Location"]).status_code == 200
assert Client().get("/readyz").content == b"ready\\n"
print("served")
"""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_database_of_the_first_release_is_upgraded_and_serves_its_pages(kind, tmp_path):
    with two_sites(kind, tmp_path) as (_, site):
        for app, migration in FIRST_RELEASE.items():
            site.done("migrate", app, migration, "--verbosity", "0")
        for app in ("sessions", "axes", "account", "contenttypes", "auth"):
            site.done("migrate", app, "--verbosity", "0")
        _python(site, _FILL)
        pending = site.command("migrate", "--check")

        site.done("migrate", "--verbosity", "0")
        site.done("createcachetable")

        assert pending.returncode == 1, "nothing is left to upgrade: the release that this test begins at is too new"
        assert site.command("migrate", "--check").returncode == 0
        assert _python(site, _LOOK) == "served\n"


def _python(site: Site, lines: str) -> str:
    outcome = subprocess.run(
        [sys.executable, "-c", lines],
        cwd=ROOT,
        env={**site.environment, "DJANGO_SETTINGS_MODULE": "courseware.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stderr[-3000:]
    return outcome.stdout
