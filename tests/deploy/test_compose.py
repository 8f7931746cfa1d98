"""What docker-compose.yml promises, asked of the file as docker-compose itself reads it; no engine is needed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from django.db import connection

ROOT = Path(__file__).parents[2]
SECRETS = {
    "SECRET_KEY": "a-key-of-forty-characters-that-is-no-secret",
    "DATABASE_PASSWORD": "database-secret",
    "BROKER_SITE_PASSWORD": "site-secret",
    "BROKER_JUDGE_PASSWORD": "judge-secret",
}
SITE = ("web", "recorder", "periodic")
JUDGES = ("judge", "judge-gpu")


def config(**environment: str) -> subprocess.CompletedProcess[str]:
    if shutil.which("docker-compose") is None:
        pytest.skip("docker-compose is not installed")
    return subprocess.run(
        ["docker-compose", "--profile", "gpu", "config"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def composed() -> dict:
    result = config(**SECRETS)
    assert result.returncode == 0, result.stderr
    return yaml.safe_load(result.stdout)


@pytest.mark.parametrize("missing", SECRETS)
def test_start_without_a_secret_is_refused_by_name(missing):
    result = config(**{name: value for name, value in SECRETS.items() if name != missing})

    assert result.returncode != 0
    assert missing in result.stderr


def test_every_part_of_the_product_is_there(composed):
    assert set(composed["services"]) == {*SITE, *JUDGES, "database", "broker"}


@pytest.mark.parametrize("name", JUDGES)
def test_judge_is_told_the_broker_and_nothing_secret(composed, name):
    environment = composed["services"][name]["environment"]

    assert environment["BROKER_URL"].startswith("redis://judge:judge-secret@broker")
    told = str(environment)
    assert not any(SECRETS[each] in told for each in ("SECRET_KEY", "DATABASE_PASSWORD", "BROKER_SITE_PASSWORD"))
    assert "volumes" not in composed["services"][name]


@pytest.mark.parametrize("name", JUDGES)
def test_judge_reaches_the_broker_only(composed, name):
    networks = composed["services"][name]["networks"]

    assert set(networks) == {"judging"}
    assert composed["networks"]["judging"]["internal"] is True
    others = {each for each, service in composed["services"].items() if "judging" in service["networks"]}
    assert others == {"broker", *JUDGES}


@pytest.mark.parametrize("name", (*SITE, *JUDGES))
def test_programs_have_no_capability_and_write_nowhere(composed, name):
    service = composed["services"][name]

    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert service.get("privileged", False) is False
    assert service["read_only"] is True
    assert "no-new-privileges:true" in service["security_opt"]


@pytest.mark.parametrize("name", JUDGES)
def test_judge_asks_for_a_profile_and_an_unmasked_proc_and_no_more(composed, name):
    options = sorted(option.replace("=", ":") for option in composed["services"][name]["security_opt"])

    assert options == [
        "no-new-privileges:true",
        "seccomp:deploy/judge/seccomp.json",
        "systempaths:unconfined",
    ]


def test_gpu_judge_waits_for_its_profile_and_reserves_a_device(composed):
    service = composed["services"]["judge-gpu"]

    assert service["profiles"] == ["gpu"]
    assert service["environment"]["JUDGE_DEVICE"] == "cuda"
    assert service["command"][-2:] == ["-c", "1"]  # one program at a time on a device
    assert service["deploy"]["resources"]["reservations"]["devices"][0]["capabilities"] == ["gpu"]
    assert "profiles" not in composed["services"]["judge"]


def test_only_the_web_server_is_published_and_to_loopback(composed):
    published = {name: each["ports"] for name, each in composed["services"].items() if each.get("ports")}

    assert published == {"web": ["127.0.0.1:8000:8000/tcp"]}


def test_every_service_comes_back_and_says_when_it_is_well(composed):
    services = composed["services"]

    assert {each["restart"] for each in services.values()} == {"unless-stopped"}
    assert all("healthcheck" in services[name] for name in ("web", "database", "broker"))
    assert services["recorder"]["depends_on"] == {"web": {"condition": "service_healthy"}}


def test_web_server_is_well_when_it_can_serve(composed, live_server):
    """The very command of the file, asked of a real server by the address that it has from inside."""
    command = composed["services"]["web"]["healthcheck"]["test"]
    assert command[:3] == ["CMD", "python", "-c"]
    code = command[3].replace("8000", str(live_server.thread.port))

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE cache RENAME TO elsewhere")
    try:
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode != 0
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE elsewhere RENAME TO cache")


def test_backups_are_kept_outside_the_sites_own_folder_and_away_from_judges(composed):
    for name in SITE:
        service = composed["services"][name]
        assert "backups:/var/backups/courseware:rw" in service["volumes"]
        assert service["environment"]["BACKUP_PATH"] == "/var/backups/courseware"


def test_site_has_the_client_programs_of_the_database_that_it_backs_up(composed):
    """Debian 12 has PostgreSQL 15; an older client cannot back up a newer server."""
    site = (ROOT / "Dockerfile").read_text().partition(" AS site\n")[2].partition("\nFROM ")[0]

    assert "postgresql-client " in site
    assert "bookworm" in (ROOT / "Dockerfile").read_text().partition(" AS base")[0].splitlines()[-1]
    assert composed["services"]["database"]["image"] == "postgres:15-bookworm"


def test_stop_waits_for_what_is_being_done(composed):
    """Longer than gunicorn gives a request (30 s), and a judge a submission (60 s)."""
    grace = {name: composed["services"][name]["stop_grace_period"] for name in (*SITE, *JUDGES)}

    assert grace == {**dict.fromkeys(SITE, "40s"), **dict.fromkeys(JUDGES, "90s")}


def test_images_run_as_an_ordinary_account():
    stages = (ROOT / "Dockerfile").read_text().split("\nFROM ")

    for stage in stages:
        if " AS site\n" in stage or " AS judge\n" in stage:
            users = [line.split()[1] for line in stage.splitlines() if line.startswith("USER ")]
            assert users == ["courseware"]


def test_every_variable_of_the_file_stands_in_the_example():
    used = set(re.findall(r"(?<!\$)\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
    named = set(re.findall(r"^#?([A-Z_]+)=", (ROOT / "deploy/compose.env").read_text(), re.MULTILINE))

    assert used == named
