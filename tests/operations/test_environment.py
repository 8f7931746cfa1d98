"""The settings that come from the environment: all documented, none silently wrong."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from django.conf import settings

from courseware.environment import Environment, MailServer
from courseware.operations.versions import RELEASE

ROOT = Path(__file__).resolve().parents[2]


def _documented() -> list[str]:
    return re.findall(r"^#?([A-Z][A-Z_]*)=", (ROOT / ".env.example").read_text(), re.MULTILINE)


def _names_the_judge_reads() -> set[str]:
    """Return every whole-word constant of the judge's settings that is spelt like an environment variable."""
    tree = ast.parse((ROOT / "grader" / "judge" / "settings.py").read_text())
    words = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {word for word in words if re.fullmatch(r"[A-Z][A-Z_]+", word)}


def _read_settings(tmp_path: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", "from django.conf import settings; settings.DEBUG; print(settings.SITE_URL)"],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "courseware.settings",
            "VAR_PATH": str(tmp_path / "var"),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_setting_is_documented_once():
    documented = _documented()

    assert len(documented) == len(set(documented))
    assert set(documented) == settings.ENVIRONMENT_NAMES | _names_the_judge_reads()


def test_every_documented_setting_says_what_it_is():
    text = (ROOT / ".env.example").read_text()

    for name in _documented():
        before = text.split(f"#{name}=")[0].splitlines()[-1]
        assert before.startswith("# "), name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SITE_URL", "courses.example.org"),
        ("SITE_URL", "ftp://courses.example.org"),
        ("SITE_URL", "https://courses.example.org/lectures"),
        ("SITE_URL", "http://127.0.0.1:port"),
        ("BIND", "8000"),
        ("BIND", "127.0.0.1:http"),
        ("DEBUG", "maybe"),
        ("SECRET_KEY", "short"),
        ("DATABASE_URL", "mysql://courses@localhost/courses"),
        ("BROKER_URL", "amqp://localhost"),
        ("PROXY_COUNT", "one"),
        ("PROXY_COUNT", "-1"),
        ("GRADER_LEASE_GRACE_SECONDS", "0"),
        ("GRADER_JUDGE_SILENT_SECONDS", "soon"),
        ("SANDBOX_UID", "0"),
        ("TORCH", "cuda"),
        ("EMAIL_URL", "mail.example.org"),
        ("EMAIL_URL", "imap://mail.example.org"),
        ("EMAIL_URL", "smtp://"),
        ("EMAIL_URL", "smtp://mail.example.org:port"),
        ("EMAIL_URL", "smtp://mail.example.org/?fail_silently=1"),
        ("DEFAULT_FROM_EMAIL", "the course"),
        ("DEFAULT_FROM_EMAIL", "a@example.org\nBcc: b@example.org"),
        ("LOG_FORMAT", "xml"),
        ("METRICS_TOKEN", "short"),
        ("METRICS_TOKEN", "with spaces in between"),
    ],
)
def test_bad_value_stops_the_start_and_is_named(tmp_path, name, value):
    outcome = _read_settings(tmp_path, **{name: value})

    assert outcome.returncode != 0
    assert name in outcome.stderr.splitlines()[-1]


def test_nothing_set_means_this_machine_alone(tmp_path):
    outcome = _read_settings(tmp_path)

    assert outcome.stdout.strip() == "http://127.0.0.1:8000", outcome.stderr


def test_empty_value_means_the_default(tmp_path):
    outcome = _read_settings(tmp_path, SITE_URL="", PROXY_COUNT="")

    assert outcome.stdout.strip() == "http://127.0.0.1:8000", outcome.stderr


def test_secret_key_is_drawn_once_and_is_private(tmp_path):
    _read_settings(tmp_path)
    key = tmp_path / "var" / "secret_key"
    first = key.read_text()

    _read_settings(tmp_path)

    assert key.read_text() == first
    assert len(first) >= 32
    assert key.stat().st_mode & 0o777 == 0o600
    assert key.parent.stat().st_mode & 0o777 == 0o700


def test_deployment_under_https_raises_no_warning(tmp_path):
    """What is silenced is silenced in the settings, with its reason."""
    outcome = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "VAR_PATH": str(tmp_path), "SITE_URL": "https://courses.example.org"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert outcome.returncode == 0, outcome.stderr
    assert "no issues" in outcome.stdout
    assert settings.SILENCED_SYSTEM_CHECKS == ["security.W005", "security.W021"]


def test_release_is_that_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert project["version"] == RELEASE


def test_database_that_does_not_answer_is_given_up_after_seconds(tmp_path):
    said = subprocess.run(
        [sys.executable, "-c", "from django.conf import settings; print(settings.DATABASES['default']['OPTIONS'])"],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "courseware.settings",
            "VAR_PATH": str(tmp_path),
            "DATABASE_URL": "postgresql://courses@database/courses?sslmode=require",
        },
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert ast.literal_eval(said) == {"connect_timeout": 5, "prepare_threshold": 5, "sslmode": "require"}


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("", MailServer()),
        ("smtp://mail.example.org", MailServer("mail.example.org", 25)),
        (
            "smtp+tls://courses%40example.org:p%2F%3A%40@mail.example.org",
            MailServer("mail.example.org", 587, "courses@example.org", "p/:@", starts_tls=True),
        ),
        ("smtps://mail.example.org:4650", MailServer("mail.example.org", 4650, is_tls=True)),
    ],
)
def test_mail_server_is_read_from_one_address(monkeypatch, tmp_path, url, server):
    monkeypatch.setenv("EMAIL_URL", url)

    assert Environment(tmp_path / ".env").mail_server("EMAIL_URL") == server


def test_bad_mail_server_is_named_without_its_password(tmp_path):
    outcome = _read_settings(tmp_path, EMAIL_URL="smtp://courses:do-not-print@mail.example.org:port")

    assert "EMAIL_URL" in outcome.stderr
    assert "do-not-print" not in outcome.stderr
