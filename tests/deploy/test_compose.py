"""What docker-compose.yml promises, asked of the file as docker-compose itself reads it; no engine is needed."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

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
