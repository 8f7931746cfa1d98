"""Copies an SQLite database out and in, whole and at one instant, while others write to it."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from courseware.operations.backups.archive import BackupFault


def copy_out(database: Path, target: Path) -> Mapping[str, int]:
    """Write the database as it is at one instant into a file of its own; return the rows of each table there.

    The online backup API reads in one step, under one read lock: with a write-ahead log nobody waits for it.
    """
    with closing(sqlite3.connect(database, timeout=20)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        # One file, without a log beside it.
        copy.execute("PRAGMA journal_mode=DELETE")
        return count_rows(copy)


def check(file: Path) -> None:
    """Raise BackupFault unless the file is a sound database."""
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        raise BackupFault(f"The database in the backup is damaged: {found}.")


def copy_in(file: Path, database: Path) -> None:
    """Make the database what the file is, in one transaction: cut short, it stays what it was."""
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(database, timeout=20)) as target:
        source.backup(target)


def count_rows(connection: sqlite3.Connection) -> Mapping[str, int]:
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return {
        name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608  (names of our tables)
        for (name,) in tables.fetchall()
    }
