"""The real product in processes of its own: started, told of people and stopped as an operator would do it."""

import contextlib
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.servers import free_port

ROOT = Path(__file__).resolve().parents[2]
COHORT = "First cohort"  # the one that a new site begins with
START_SECONDS = 120  # compressing the static files is most of it, and on a busy machine it takes its time
STOP_SECONDS = 90  # a judge may finish what it judges
_PERSON = re.compile(r"^\s*(\w+)\s+(\S+@example\.org)\s+(\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Person:
    """Somebody who can sign in."""

    name: str
    email: str
    password: str


class RunningSite:
    """A site that answers at `url`, with an instructor and a cohort."""

    def __init__(self, url: str, environment: dict[str, str], log: Path) -> None:
        self.url = url
        self._environment = environment
        self._log = log
        people = {match[1]: Person(f"{match[1]} 1", match[2], match[3]) for match in _PERSON.finditer(log.read_text())}
        self.instructor = people["Instructor"]

    def said(self) -> str:
        """Return all that the site's programs have said so far."""
        return self._log.read_text()

    def add_learner(self, name: str) -> Person:
        """Return a new learner of the site's cohort, added by the command that an operator uses."""
        person = Person(name, f"{name.lower().replace(' ', '.')}@example.org", secrets.token_urlsafe(12))
        subprocess.run(
            [sys.executable, "manage.py", "add_user", person.email, person.name, "--cohort", COHORT],
            cwd=ROOT,
            env=self._environment,
            input=f"{person.password}\n",
            text=True,
            stdout=subprocess.DEVNULL,
            check=True,
        )
        return person


@contextlib.contextmanager
def running_site(var_path: Path, *, static: Path | None = None, **settings: str) -> Iterator[RunningSite]:
    """Yield the site that these settings make, on a free port; `static` is a folder that another site collected.

    Errors:  RuntimeError with all that the site said, if it ends or does not answer in time
    """
    if static is not None:
        shutil.copytree(static, var_path / "static")
    environment = {**_without_settings(), "VAR_PATH": str(var_path), **settings}
    environment["SITE_URL"] = f"http://127.0.0.1:{free_port()}"
    log = var_path / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        _until_it_answers(process, log)
        yield RunningSite(environment["SITE_URL"], environment, log)
    finally:
        process.terminate()
        try:
            process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()  # its programs end with it
            process.wait()


def _without_settings() -> dict[str, str]:
    """Return this environment with every setting of the site empty, which hides a developer's `.env` as well."""
    names = re.findall(r"^#([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    return {**os.environ, **dict.fromkeys(names, "")}


def _until_it_answers(process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while "The site answers at " not in log.read_text():
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"the site did not start:\n{log.read_text()}")
        time.sleep(0.1)
