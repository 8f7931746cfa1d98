"""Queries whose SQL is composed once in a process: composing one takes Django ten times as long as SQLite's answer.

For what every page asks. A statement is an ordinary query set with gaps in place of the values that differ from run
to run; whoever runs it fills the gaps. It knows no table.
"""

import copy
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models.sql.compiler import SQLCompiler

_FIELDS: dict[type, Callable[[], "models.Field[Any, Any]"]] = {
    int: models.BigIntegerField,
    str: models.TextField,
    datetime: models.DateTimeField,
    uuid.UUID: models.UUIDField,
}

_LARGEST_BITS = 63  # of a number that a column can hold, its sign left out

Row = TypeVar("Row")


class Given(models.Value):
    """A gap in a query set: `filter(user=Given("user", int))`."""

    def __init__(self, name: str, kind: type) -> None:
        super().__init__(name, output_field=_FIELDS[kind]())
        self.name = name

    def as_sql(self, *_: Any, **__: Any) -> tuple[str, Any]:
        return "%s", (self,)


class Statement(Generic[Row]):
    """A query set with gaps; `rows(user=…)` asks the database with these filled. It cannot prefetch."""

    def __init__(self, compose: Callable[[], "models.QuerySet[Any, Row]"]) -> None:
        self._compose = compose  # called when first needed, since models refer to each other until all are loaded
        self._composed: _Composed | None = None

    def rows(self, **given: Any) -> list[Row]:
        if any(isinstance(value, int) and value.bit_length() > _LARGEST_BITS for value in given.values()):
            return []  # no column holds it; Django's own filters say so too, and databases raise
        if self._composed is None:
            self._composed = _Composed.of(self._compose())
        return self._composed.rows(given)

    def first(self, **given: Any) -> Row | None:
        """Return the first of the rows; how many there can be is for the query set to say."""
        return next(iter(self.rows(**given)), None)


@dataclass(frozen=True)
class _Composed:
    queryset: Any
    compiler: SQLCompiler
    sql: str
    parameters: tuple[Any, ...]

    @classmethod
    def of(cls, queryset: "models.QuerySet[Any, Any]") -> "_Composed":
        compiler = queryset.query.get_compiler(using=DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        return cls(queryset, compiler, sql, tuple(parameters))

    def rows(self, given: dict[str, Any]) -> list[Any]:
        connection = connections[DEFAULT_DB_ALIAS]
        filled = tuple(
            each.output_field.get_db_prep_value(given[each.name], connection) if isinstance(each, Given) else each
            for each in self.parameters
        )
        compiler: Any = copy.copy(self.compiler)  # each thread has a connection of its own
        compiler.connection = connection
        compiler.as_sql = lambda *_, **__: (self.sql, filled)
        return list(self.queryset._iterable_class(_Run(self.queryset, compiler)))


class _Run:
    """What Django's own iterators of rows ask of a query set and of its query."""

    db = DEFAULT_DB_ALIAS

    def __init__(self, queryset: Any, compiler: SQLCompiler) -> None:
        self.query, self.model, self._fields = self, queryset.model, queryset._fields
        self._known_related_objects: dict[Any, Any] = {}
        self._compiler = compiler

    def get_compiler(self, using: str) -> SQLCompiler:  # noqa: ARG002
        return self._compiler
