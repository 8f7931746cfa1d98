"""Backups of whole sites: made while a class works, restored elsewhere, and replaced only when that was asked for."""

import contextlib
import json
import os
import re
import shutil
import sqlite3
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import psycopg
import pytest

from tests.operations.sites import Site, two_sites

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]  # two dozen processes, each of which reads the course


@pytest.fixture(params=["sqlite", "postgresql"])
def sites(request, tmp_path) -> Iterator[tuple[Site, Site]]:
    with two_sites(request.param, tmp_path) as both:
        both[0].class_does("fill")
        yield both


def _manifest(file: Path) -> dict:
    with tarfile.open(file) as archive:
        return json.load(archive.extractfile("manifest.json"))


def _rows(site: Site, tables: Iterable[str]) -> dict[str, int]:
    """Return the rows of these tables, asked of the database without any code of ours."""
    opened = (
        psycopg.connect(site.database_url)
        if site.database_url
        else contextlib.closing(sqlite3.connect(site.var_path / "courseware.sqlite3"))
    )
    with opened as connection:
        return {table: connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for table in tables}


def _unsound(site: Site) -> list[tuple]:
    """Return what SQLite's own checks find; PostgreSQL checks while it restores."""
    if site.database_url:
        return []
    with contextlib.closing(sqlite3.connect(site.var_path / "courseware.sqlite3")) as connection:
        found = connection.execute("PRAGMA foreign_key_check").fetchall()
        return found + [row for row in connection.execute("PRAGMA integrity_check") if row != ("ok",)]


def test_backup_under_load_is_the_same_site_elsewhere_and_goes_on_there(sites):
    here, elsewhere = sites
    review = here.class_does("review")

    with here.class_at_work():
        file = Path(here.done("backup").strip())
    said = elsewhere.done("restore", file)

    rows = _manifest(file)["rows"]
    assert _rows(elsewhere, rows) == rows
    assert _unsound(elsewhere) == []
    # The class went on meanwhile, and the copy is of one instant.
    assert _rows(here, ["quizzes_sitting"])["quizzes_sitting"] > rows["quizzes_sitting"] >= 2
    assert rows["quizzes_response"] == rows["quizzes_slot"] == rows["quizzes_sitting"] * 9
    assert "Your pick" in review
    assert elsewhere.class_does("review") == review
    assert f"Restored {sum(rows.values())} rows" in said
    # Sequences came along, too: what is made next meets no number that is taken.
    with elsewhere.class_at_work():
        pass


def test_what_is_there_is_replaced_only_when_asked_and_kept_then(sites):
    here, elsewhere = sites
    review = here.class_does("review")
    empty = Path(elsewhere.prepare().done("backup").strip())
    tables = _manifest(empty)["rows"]
    before = _rows(here, tables)

    refused = here.command("restore", empty)

    assert refused.returncode == 1
    assert "is not empty" in refused.stderr
    assert "Nothing was changed" in refused.stderr
    assert _rows(here, tables) == before

    said = here.done("restore", empty, "--replace")

    assert _rows(here, tables) == tables
    kept = re.search(r"What was there before is in (\S+)\.\n", said)
    assert kept is not None
    # Tables without rows are nothing that anybody could lose.
    here.done("restore", kept[1])
    assert here.class_does("review") == review


def test_secret_key_comes_along_when_asked_and_the_old_one_is_kept(tmp_path):
    here, elsewhere = Site(tmp_path / "here").prepare(), Site(tmp_path / "elsewhere").prepare()
    old = elsewhere.var_path / "secret_key"
    old_key = old.read_text()

    file = Path(here.done("backup", "--with-secret-key").strip())
    said = elsewhere.done("restore", file, "--with-secret-key")

    assert old.read_text() == (here.var_path / "secret_key").read_text() != old_key
    assert old.stat().st_mode & 0o777 == 0o600
    kept = re.search(r"secret key that was there before is in (\S+)\.\n", said)
    assert kept is not None
    assert Path(kept[1]).read_text() == old_key


def test_client_programs_are_named_when_missing_or_too_old_and_are_told_no_password(tmp_path):
    with two_sites("postgresql", tmp_path) as (here, _):
        nothing, old, spying = tmp_path / "nothing", tmp_path / "old", tmp_path / "spying"
        nothing.mkdir()
        _program(old / "pg_dump", 'echo "pg_dump (PostgreSQL) 9.6.24"')
        _program(spying / "pg_dump", f'echo "$@" >>{tmp_path}/words\nexec {shutil.which("pg_dump")} "$@"')
        url = here.database_url.replace("courseware@", "courseware:hush-hush@")

        missing, too_old = here.command("backup", PATH=str(nothing)), here.command("backup", PATH=str(old))
        left = list((here.var_path / "backups").iterdir())
        here.done("backup", DATABASE_URL=url, PATH=f"{spying}:{os.environ['PATH']}")

    assert re.search(r"No backup was made. pg_dump is not installed. Install .*postgresql-client-\d+", missing.stderr)
    assert re.search(r"pg_dump is 9 and the server is \d+: the program must not be older", too_old.stderr)
    assert left == []
    words = (tmp_path / "words").read_text()
    assert "--format=custom" in words
    assert "hush-hush" not in words


def _program(file: Path, lines: str) -> None:
    file.parent.mkdir()
    file.write_text(f"#!/bin/sh\n{lines}\n")
    file.chmod(0o755)
