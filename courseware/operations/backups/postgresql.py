"""Copies a PostgreSQL database out and in by its own client programs, at one instant and in one transaction."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient
from django.db.backends.utils import CursorWrapper

from courseware.operations.backups.archive import BackupFault

# A restore drops tables; a program of the site that still runs would otherwise make it wait without end.
LOCK_WAIT = "10s"


def copy_out(target: Path) -> Mapping[str, int]:
    """Write the database as it is at one instant into a file of pg_dump's own format; return the rows of each table.

    Errors:  BackupFault if a client program is missing, too old or fails
    """
    pg_dump = client("pg_dump")
    # A connection of its own: whoever called may be in the middle of a transaction.
    counting = connection.copy()
    try:
        with counting.cursor() as cursor:
            cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            cursor.execute("SELECT pg_export_snapshot()")
            snapshot = cursor.fetchone()[0]
            options = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}"]
            _run([pg_dump, *options, f"--file={target}"], connected=True)
            # pg_dump read the same snapshot, so these numbers are those of its file.
            return count_rows(cursor)
    finally:
        counting.close()


def check(file: Path) -> None:
    """Raise BackupFault unless pg_restore can read the file."""
    _run([client("pg_restore"), "--list", str(file)])


def copy_in(file: Path, scratch: Path) -> None:
    """Make the database what the file is, in one transaction: if anything fails, it stays what it was."""
    psql, emptying, filling = client("psql"), scratch / "empty.sql", scratch / "fill.sql"
    _run([client("pg_restore"), "--no-owner", "--no-privileges", f"--file={filling}", str(file)])
    quote = connection.ops.quote_name
    tables = ", ".join(quote(name) for name in connection.introspection.table_names())
    drop = f"DROP TABLE {tables} CASCADE;" if tables else ""
    # Functions of triggers outlive their tables.
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.oid::regprocedure::text FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace"
            " AND p.prorettype = 'trigger'::regtype"
        )
        drop += "".join(f"\nDROP FUNCTION {name} CASCADE;" for (name,) in cursor.fetchall())
    emptying.write_text(f"SET lock_timeout = '{LOCK_WAIT}';\n{drop}\n")
    connection.close()  # what this process holds itself would be waited for, too
    options = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction", "--output=/dev/null"]
    _run([psql, *options, f"--file={emptying}", f"--file={filling}"], connected=True)


def count_rows(cursor: CursorWrapper) -> Mapping[str, int]:
    rows = {}
    for table in connection.introspection.table_names(cursor):
        cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608  (names of tables)
        rows[table] = int(cursor.fetchone()[0])
    return rows


def client(name: str) -> str:
    """Return where a client program of PostgreSQL is, one that is new enough for the server.

    Errors:  BackupFault that says what to install
    """
    connection.ensure_connection()
    server = int(connection.pg_version) // 10_000  # type: ignore[attr-defined]  # only PostgreSQL's connection has it
    install = f"Install the package postgresql-client-{server}, or what your system calls it."
    program = shutil.which(name)
    if program is None:
        raise BackupFault(f"{name} is not installed. {install}")
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    found = re.search(r"(\d+)(?:\.\d+)*", said)
    if found is None or int(found[1]) < server:
        version = found[1] if found else "of an unknown version"
        raise BackupFault(f"{name} is {version} and the server is {server}: the program must not be older. {install}")
    return program


def _run(command: list[str], *, connected: bool = False) -> None:
    """Run a client program; told where the database is, with the password in its environment alone."""
    environment = dict(os.environ)
    if connected:
        (_, *whereto), more = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
        command = [*command, *whereto]
        environment |= more or {}
    done = subprocess.run(  # noqa: S603  (programs found by name, words built here)
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode:
        last = (done.stderr.strip() or "no reason was given").splitlines()[-1]
        raise BackupFault(f"{Path(command[0]).name} failed: {last}")
