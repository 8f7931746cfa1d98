"""What machines ask of the site: whether it lives, whether it can serve. Nobody learns more than that."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.urls import reverse

from courseware.operations.probes import what_is_missing

ROOT = Path(__file__).resolve().parents[2]
PROBES = ("healthz", "readyz")


@pytest.fixture
def no_such_course(settings, tmp_path):
    settings.COURSE_PATH = tmp_path / "course"
    (settings.COURSE_PATH / "05-secret-name").mkdir(parents=True)
    (settings.COURSE_PATH / "05-secret-name" / "module.yaml").write_text("id: broken\n")


def test_process_that_answers_is_alive():
    """Without any mark for the database: pytest would refuse a query."""
    answer = Client().get("/healthz")

    assert (answer.status_code, answer.content) == (200, b"alive\n")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert "no-store" in answer["Cache-Control"]
    assert not answer.cookies


@pytest.mark.django_db
def test_site_that_can_serve_is_ready(django_assert_max_num_queries):
    Client().get("/readyz")

    with django_assert_max_num_queries(3):
        answer = Client().get("/readyz")

    assert (answer.status_code, answer.content) == (200, b"ready\n")


@pytest.mark.django_db
def test_migration_that_is_to_come_is_missing():
    MigrationRecorder(connection).record_unapplied("grader", "0001_first_tables")

    answer = Client().get("/readyz")

    assert (answer.status_code, answer.content) == (503, b"missing: migrations\n")


@pytest.mark.django_db
def test_cache_table_that_was_not_made_is_missing():
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE cache RENAME TO elsewhere")

    assert what_is_missing() == ("cache",)


@pytest.mark.django_db
def test_course_with_a_fault_is_missing_and_not_described(no_such_course):
    answer = Client().get("/readyz")

    assert (answer.status_code, answer.content) == (503, b"missing: course\n")


@pytest.mark.parametrize("vendor", ["sqlite", "postgresql"])
def test_database_that_is_away_is_missing_and_not_described(tmp_path, vendor):
    """In a process of its own, whose database was never there."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"postgresql://courses:hush@127.0.0.1:{nobody.getsockname()[1]}/courses" if vendor == "postgresql" else ""
        (tmp_path / "var" / "courseware.sqlite3").mkdir(parents=True)

        outcome = subprocess.run(
            [sys.executable, "-c", _ASK],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "VAR_PATH": str(tmp_path / "var"), "DATABASE_URL": url},
            capture_output=True,
            text=True,
            check=False,
        )

    assert outcome.stdout == "200 b'alive\\n'\n503 b'missing: database\\n'\n", outcome.stderr
    assert "hush" not in outcome.stderr


_ASK = """
import os, django
os.environ["DJANGO_SETTINGS_MODULE"] = "courseware.settings"
django.setup()
from django.test import Client
for path in ("/healthz", "/readyz"):
    answer = Client().get(path)
    print(answer.status_code, answer.content)
"""


@pytest.mark.django_db
@pytest.mark.parametrize("host", ["10.0.0.7:8000", "web:8000", "localhost", "", "a strange\tname"])
@pytest.mark.parametrize("path", [*(f"/{name}" for name in PROBES), "/metrics"])
def test_machines_ask_under_any_host_name_and_people_do_not(settings, path, host):
    settings.METRICS_TOKEN = "a-token-of-some-length"
    headers = {"Host": host, "Authorization": "Bearer a-token-of-some-length"}

    assert Client().get(path, headers=headers).status_code == 200
    assert Client().get(reverse("account_login"), headers=headers).status_code == 400
    assert Client().get(f"{path}/", headers=headers).status_code == 400


@pytest.mark.django_db
def test_probe_is_answered_in_the_open_and_a_page_is_led_to_https(settings):
    settings.SECURE_SSL_REDIRECT = True

    assert [Client().get(f"/{name}").status_code for name in PROBES] == [200, 200]
    assert Client().get(reverse("account_login"))["Location"].startswith("https://")


@pytest.mark.parametrize("name", PROBES)
def test_probe_takes_no_form(name):
    assert Client().post(reverse(name)).status_code == 405
