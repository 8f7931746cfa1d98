"""The whole site, started as an operator starts it."""

import http.cookiejar
import re
import shutil
import socket
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import servers
from tests.up import ROOT, START_SECONDS, Up, environment

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def collected(tmp_path_factory) -> Path:
    """Return a `var/` in which static files are collected already: compressing them takes most of a first start."""
    var_path = tmp_path_factory.mktemp("collected")
    subprocess.run(
        [sys.executable, "manage.py", "shell", "-c", "from courseware import static_files; static_files.collect()"],
        cwd=ROOT,
        env=environment(var_path),
        check=True,
        capture_output=True,
    )
    return var_path


@pytest.fixture(scope="module")
def site(collected, tmp_path_factory) -> Iterator[Up]:
    """Yield a site that several tests look at and none changes."""
    var_path = shutil.copytree(collected, tmp_path_factory.mktemp("site") / "var")
    running = Up(var_path, SECRET_KEY="s" * 40)
    running.address()
    yield running
    running.interrupt()


@pytest.fixture
def start(collected, tmp_path: Path) -> Iterator:
    begun: list[Up] = []
    shutil.copytree(collected, tmp_path / "var")

    def begin(**environment: str) -> Up:
        begun.append(Up(tmp_path / "var", **environment))
        return begun[-1]

    yield begin
    for running in begun:
        if running.process.poll() is None:
            running.interrupt()


def _sign_in(address: str, email: str, password: str) -> str:
    """Return the page that a person sees right after signing in."""
    jar = http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    form = opener.open(f"{address}/accounts/login/").read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', form)
    assert token is not None
    fields = urllib.parse.urlencode({"csrfmiddlewaretoken": token[1], "login": email, "password": password})
    request = urllib.request.Request(f"{address}/accounts/login/", fields.encode(), {"Referer": address})
    return opener.open(request).read().decode()


def test_first_start_makes_two_people_who_can_sign_in_and_the_second_none(start):
    first = start()
    address = first.address()
    passwords = dict(re.findall(r"(\w+@example\.org)\s+(\S+)$", "\n".join(first.lines), re.MULTILINE))

    assert set(passwords) == {"learner@example.org", "instructor@example.org"}
    for email, password in passwords.items():
        assert "/accounts/logout/" in _sign_in(address, email, password)

    first.interrupt()
    second = start()
    assert "/accounts/logout/" in _sign_in(second.address(), *next(iter(passwords.items())))
    assert not any("@example.org" in line for line in second.lines)


def test_interrupt_ends_every_process(start):
    running = start()
    running.address()
    children = running.children()

    status = running.interrupt()

    assert len(children) >= 5  # web server and its two workers, recorder, periodic jobs, Beat, judge
    assert status == 0
    assert not [pid for pid in children if Path(f"/proc/{pid}").exists()]
    assert running.lines[-1] == "Everything has stopped."


def test_taken_port_is_passed_over_and_said_so(start):
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", 8000))
            listener.listen()
        except OSError:
            pass  # somebody else has it, which serves as well

        running = start()

        address = running.address()
        assert address != "http://127.0.0.1:8000"
        assert any("Port 8000 is taken" in line for line in running.lines)


def test_chosen_port_that_is_taken_stops_the_start(start):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]

        running = start(SITE_URL=f"http://127.0.0.1:{port}")

        assert running.process.wait(timeout=START_SECONDS) == 1
    running.wait_for(f"Port {port} on 127.0.0.1 is taken")


def test_second_server_on_the_same_folder_is_refused(site):
    second = Up(site.var_path)

    assert second.process.wait(timeout=START_SECONDS) == 1
    second.wait_for(rf"already runs .*process {site.process.pid}")


def test_course_with_a_fault_stops_the_start_and_names_it(start, tmp_path):
    course = tmp_path / "course" / "05-broken"
    course.mkdir(parents=True)
    (course / "module.yaml").write_text("id: broken\n")

    running = start(COURSE_PATH=str(tmp_path / "course"))

    assert running.process.wait(timeout=START_SECONDS) == 1
    running.wait_for(r"module\.yaml")


def test_database_that_is_not_there_stops_the_start_in_one_line_without_its_password(start):
    running = start(DATABASE_URL="postgresql://courses:hush@127.0.0.1:1/courses")

    assert running.process.wait(timeout=START_SECONDS) == 1
    running.wait_for("The database cannot be used")
    assert not any("hush" in line or "Traceback" in line for line in running.lines)


def test_judge_is_told_neither_the_secret_key_nor_the_database(site):
    environments = {}
    for pid in site.children():
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if any(word.startswith(b"grader.judge.") for word in command):
            environments[pid] = Path(f"/proc/{pid}/environ").read_text()

    assert environments
    for told in environments.values():
        assert "SECRET_KEY" not in told
        assert "DATABASE_URL" not in told
        assert "BROKER_URL=" in told


def test_site_runs_on_postgresql_and_redis(start):
    try:
        with servers.postgresql() as database, servers.redis() as broker:
            running = start(DATABASE_URL=database, BROKER_URL=broker)
            address = running.address()
            password = running.wait_for(r"learner@example\.org\s+(\S+)")[1]

            page = _sign_in(address, "learner@example.org", password)
            running.interrupt()
    except servers.ServerMissing as missing:
        pytest.skip(str(missing))

    assert "/accounts/logout/" in page
    assert not any(" ended with status " in line for line in running.lines)
