"""Whether this process can serve: what a health check asks before it sends anybody here."""

from functools import lru_cache

from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import Error as DatabaseError

from courseware.concepts.course import current
from courseware.concepts.faults import BrokenCourse
from grader.catalogue import current_exercises
from quizzes.catalogue import current_bank

CACHE_TABLE = "cache"


def what_is_missing() -> tuple[str, ...]:
    """Return one plain word for each thing without which no page can be served: none when all is there."""
    return (*_missing_in_database(), *(() if _course_is_loaded() else ("course",)))


def migrations_missing() -> set[tuple[str, str]]:
    """Return the migrations of this release that the database has not had.

    Errors:  django.db.utils.Error if the database does not answer
    """
    return set(migrations_known() - MigrationRecorder(connection).applied_migrations().keys())


@lru_cache(maxsize=1)
def migrations_known() -> frozenset[tuple[str, str]]:
    """Return every migration of this release."""
    # Without a connection it reads files only; they do not change while a process lives.
    return frozenset(MigrationLoader(None).disk_migrations or ())


def _missing_in_database() -> tuple[str, ...]:
    try:
        missing = ["migrations"] if migrations_missing() else []
        if CACHE_TABLE not in connection.introspection.table_names():
            missing.append("cache")
    except (DatabaseError, ImproperlyConfigured):
        return ("database",)
    return tuple(missing)


def _course_is_loaded() -> bool:
    try:
        return bool(current().module.concepts) and current_bank() is not None and current_exercises() is not None
    except (BrokenCourse, OSError):
        return False
