"""What runs here, by name and version."""

import platform
import sqlite3

import django
from django.db import connection

RELEASE = "0.1.0"  # that of pyproject.toml, which no image holds; a test compares the two


def versions() -> tuple[tuple[str, str], ...]:
    """Return the versions that a report of a fault should name."""
    return (
        ("Courseware", RELEASE),
        ("Python", platform.python_version()),
        ("Django", django.get_version()),
        ("SQLite" if connection.vendor == "sqlite" else "PostgreSQL", database_version()),
    )


def database_version() -> str:
    """Return the version of the library, or of the server that answers."""
    if connection.vendor == "sqlite":
        return sqlite3.sqlite_version
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        return str(cursor.fetchone()[0])
