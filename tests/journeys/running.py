"""The real product on a port of its own, and its people, whom an operator's command adds."""

import contextlib
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.servers import free_port
from tests.up import ROOT, Up

COHORT = "First cohort"  # the one that a new site begins with
_PERSON = re.compile(r"^\s*(\w+)\s+(\S+@example\.org)\s+(\S+)$")


@dataclass(frozen=True)
class Person:
    """Somebody who can sign in."""

    name: str
    email: str
    password: str


class RunningSite:
    """A site that answers at `url`, with an instructor and a cohort."""

    def __init__(self, up: Up) -> None:
        self.url = up.address()
        self._environment = up.environment
        people = {match[1]: match for match in map(_PERSON.match, up.lines) if match}
        self.instructor = Person("Instructor 1", *people["Instructor"].group(2, 3))

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
    """Yield the site that these settings make, on a free port; `static` is a folder that another site collected."""
    if static is not None:
        shutil.copytree(static, var_path / "static")
    up = Up(var_path, SITE_URL=f"http://127.0.0.1:{free_port()}", **settings)
    try:
        yield RunningSite(up)
    finally:
        if up.process.poll() is None:
            up.interrupt()
