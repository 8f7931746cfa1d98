"""Sites that are only a folder and a database: enough for commands, and for a class at work."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from tests import servers
from tests.up import ROOT, environment


@dataclass(frozen=True)
class Site:
    """One site; its commands run in processes of their own."""

    var_path: Path
    database_url: str = ""
    more: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        mine = {"DATABASE_URL": self.database_url, "SITE_URL": "http://testserver"}
        mine["COURSE_PATH"] = os.environ["COURSE_PATH"]  # of the tests: a class at work sits its short test
        return environment(self.var_path, **mine | self.more)

    def command(self, *words: str | Path, **environment: str) -> "subprocess.CompletedProcess[str]":
        return self._run(["manage.py", *map(str, words)], environment)

    def done(self, *words: str | Path, **environment: str) -> str:
        """Return what a command that must succeed has said."""
        outcome = self.command(*words, **environment)
        assert outcome.returncode == 0, outcome.stderr
        return outcome.stdout

    def class_does(self, order: str, *, by: str = "") -> str:
        outcome = self._run(["-m", "tests.operations.classroom", order], {}, by)
        assert outcome.returncode == 0, outcome.stderr
        return outcome.stdout

    @contextlib.contextmanager
    def class_at_work(self) -> Iterator[None]:
        """Let a class sit tests in the block; it has done some before the block begins, and goes on until its end."""
        with subprocess.Popen(
            [sys.executable, "-m", "tests.operations.classroom", "write"],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as writer:
            assert writer.stdin is not None and writer.stdout is not None
            assert writer.stdout.readline() == "1\n"
            yield
            assert writer.poll() is None, "the class left early"
            writer.stdin.close()
            writer.stdout.read()
        assert writer.returncode == 0

    def prepare(self) -> "Site":
        self.done("migrate", "--verbosity", "0")
        self.done("createcachetable")
        return self

    def _run(
        self, words: list[str], environment: dict[str, str], typed: str = ""
    ) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, *words],
            cwd=ROOT,
            env={**self.environment, **environment},
            input=typed,
            capture_output=True,
            text=True,
            check=False,
        )


@contextlib.contextmanager
def two_sites(kind: str, folder: Path) -> Iterator[tuple[Site, Site]]:
    """Yield two sites with empty databases of one kind; only the first has its tables."""
    if kind == "sqlite":
        yield Site(folder / "here").prepare(), Site(folder / "elsewhere")
        return
    try:
        with servers.postgresql() as url:
            server, _, _ = url.rpartition("/")
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("CREATE DATABASE elsewhere")
            yield Site(folder / "here", url).prepare(), Site(folder / "elsewhere", f"{server}/elsewhere")
    except servers.ServerMissing as missing:
        pytest.skip(str(missing))
