"""Queries whose SQL is composed once in a process: composing one takes Django ten times as long as SQLite's answer.

For what every page asks and every save writes. A statement is an ordinary query set, or ordinary rows, with gaps in
place of the values that differ from run to run; whoever runs it fills the gaps. It knows no table.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.sqlite3.base import SQLiteCursorWrapper
from django.db.models.query import ModelIterable, get_related_populators
from django.db.models.sql import InsertQuery, UpdateQuery
from django.db.models.sql.compiler import SQLCompiler

_FIELDS: dict[type, Callable[[], "models.Field[Any, Any]"]] = {
    int: models.BigIntegerField,
    str: models.TextField,
    float: models.FloatField,
    datetime: models.DateTimeField,
    uuid.UUID: models.UUIDField,
    Decimal: models.DecimalField,
    dict: models.JSONField,  # whatever JSON can say
}

_LARGEST_BITS = 63  # of a number that a column can hold, its sign left out

_PLAIN = (str, int)

Row = TypeVar("Row")


class Given(models.Value):
    """A gap in a query set: `filter(user=Given("user", int))`."""

    def __init__(self, name: str, kind: type) -> None:
        super().__init__(name, output_field=_FIELDS[kind]())
        self.name = name
        self._field: Any = self.output_field

    def stored(self, value: Any, connection: Any) -> Any:
        """Return a value as the database is given it."""
        return self._field.get_db_prep_save(value, connection)

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
    converters: Any  # of columns to Python's values, which Django finds anew at each run
    as_models: "_Models | None"  # None where rows are something else, such as tuples

    @classmethod
    def of(cls, queryset: "models.QuerySet[Any, Any]") -> "_Composed":
        compiler = queryset.query.get_compiler(using=DEFAULT_DB_ALIAS)
        sql, parameters = compiler.as_sql()
        converters = compiler.get_converters([column[0] for column in compiler.select[: compiler.col_count]])
        as_models = _Models.of(compiler) if queryset._iterable_class is ModelIterable else None
        return cls(queryset, compiler, sql, tuple(parameters), converters, as_models)

    def rows(self, given: dict[str, Any]) -> list[Any]:
        connection = connections[DEFAULT_DB_ALIAS]
        with _cursor(connection) as cursor:
            cursor.execute(self.sql, _filled(self.parameters, given, connection))
            found = cursor.fetchall()
        read = _Found(self, found, connection)
        return self.as_models.rows(read.results_iter()) if self.as_models else list(self.queryset._iterable_class(read))


@dataclass(frozen=True)
class _Models:
    """How rows become models and all that was selected with them, which Django itself finds anew at each run."""

    model: type[models.Model]
    names: list[str]  # of the fields that are read
    columns: slice
    related: list[Any]
    annotations: list[tuple[str, int]]

    @classmethod
    def of(cls, compiler: Any) -> "_Models":
        places = compiler.klass_info["select_fields"]
        columns = slice(places[0], places[-1] + 1)
        names = [column[0].target.attname for column in compiler.select[columns]]
        # The stubs are of a later Django, which asks for one thing more.
        related = get_related_populators(compiler.klass_info, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]
        return cls(compiler.klass_info["model"], names, columns, related, list(compiler.annotation_col_map.items()))

    def rows(self, found: Iterable[Any]) -> list[Any]:
        made = []
        for row in found:
            each = self.model.from_db(DEFAULT_DB_ALIAS, self.names, row[self.columns])
            for one in self.related:
                one.populate(row, each)
            for name, place in self.annotations:
                setattr(each, name, row[place])
            made.append(each)
        return made


class _Found:
    """Rows that were read, as Django's own iterators of rows want them: query set, query and compiler in one."""

    db = DEFAULT_DB_ALIAS

    def __init__(self, composed: _Composed, found: list[Any], connection: Any) -> None:
        self.query, self._fields = self, composed.queryset._fields
        self.connection = connection  # each thread has one of its own
        self._composed, self._found = composed, found

    def get_compiler(self, using: str) -> "_Found":  # noqa: ARG002
        return self

    def results_iter(self, _: None = None, *, tuple_expected: bool = False, **__: Any) -> Iterable[Any]:
        compiler: Any = self._composed.compiler
        found: Iterable[Any] = self._found
        if compiler.has_extra_select:  # columns that only the order needs
            found = (row[: compiler.col_count] for row in found)
        if self._composed.converters:
            found = SQLCompiler.apply_converters(self, found, self._composed.converters)  # type: ignore[arg-type]
        return map(tuple, found) if tuple_expected else found


@dataclass(frozen=True)
class OneForEach:
    """Rows to insert: one like `row` for each row of a query set, whose columns the row may name as `F("pk")`."""

    found: "models.QuerySet[Any, Any]"
    row: models.Model


@dataclass(frozen=True)
class InWords:
    """A statement that no query set can say, in the words of each database."""

    sql: Mapping[str, str]  # by vendor
    gaps: Sequence[Given]  # in the order of their places


_Update = tuple["models.QuerySet[Any, Any]", Mapping[str, Any]]


class Change:
    """An update of a query set, or the insertion of rows, with gaps; `run(revision=…)` makes it with these filled."""

    def __init__(self, compose: Callable[[], _Update | Sequence[models.Model] | OneForEach | InWords]) -> None:
        self._compose = compose
        self._composed: tuple[str, tuple[Any, ...]] | None = None

    def run(self, **given: Any) -> int:
        """Return how many rows were changed or inserted."""
        connection = connections[DEFAULT_DB_ALIAS]
        if self._composed is None:
            self._composed = _composed(self._compose())
        sql, parameters = self._composed
        with _cursor(connection) as cursor:
            cursor.execute(sql, _filled(parameters, given, connection))
            return int(cursor.rowcount)


def _composed(change: _Update | Sequence[models.Model] | OneForEach | InWords) -> tuple[str, tuple[Any, ...]]:
    if isinstance(change, InWords):
        return change.sql[connections[DEFAULT_DB_ALIAS].vendor], tuple(change.gaps)
    if isinstance(change, OneForEach):
        return _insertion_from(change)
    return _update(*change) if isinstance(change, tuple) else _insertion(change)


def _update(queryset: "models.QuerySet[Any, Any]", values: Mapping[str, Any]) -> tuple[str, tuple[Any, ...]]:
    query: Any = queryset.query.chain(UpdateQuery)
    query.add_update_values(dict(values))
    sql, parameters = query.get_compiler(using=DEFAULT_DB_ALIAS).as_sql()
    return sql, tuple(parameters)


def _insertion(rows: Sequence[models.Model]) -> tuple[str, tuple[Any, ...]]:
    query = InsertQuery(type(rows[0]))
    query.insert_values(_fields(rows[0]), list(rows))
    # One statement for all rows: what databases differ in is how many parameters one may have, and SQLite takes 32,766.
    parts = query.get_compiler(using=DEFAULT_DB_ALIAS).as_sql()
    assert len(parts) == 1
    sql, parameters = parts[0]
    return sql, tuple(parameters)


def _insertion_from(change: OneForEach) -> tuple[str, tuple[Any, ...]]:
    """Return the statement in which the database itself reads the rows, so that nobody sends it each of them."""
    fields, quote = _fields(change.row), connections[DEFAULT_DB_ALIAS].ops.quote_name
    columns = {f"new_{field.name}": _column(getattr(change.row, field.attname), field) for field in fields}
    query = change.found.annotate(**columns).values_list(*columns).query
    sql, parameters = query.get_compiler(using=DEFAULT_DB_ALIAS).as_sql()
    names = ", ".join(quote(str(field.column)) for field in fields)
    return f"INSERT INTO {quote(change.row._meta.db_table)} ({names}) {sql}", tuple(parameters)


def _column(value: Any, field: "models.Field[Any, Any]") -> Any:
    if hasattr(value, "resolve_expression"):
        return value
    # A JSON column would take nothing for JSON's own word for it.
    return models.Value(value, output_field=models.TextField() if value is None else field)


def _fields(row: models.Model) -> "list[models.Field[Any, Any]]":
    return [field for field in row._meta.local_concrete_fields if field is not row._meta.auto_field]


def _cursor(connection: Any) -> Any:
    """Return a cursor for statements that come again and again.

    PostgreSQL plans a statement anew each time it is sent as text: of a save's query over eight tables that took seven
    times as long as running it. Values that travel apart let psycopg have it planned once for each connection. For
    SQLite, Django searches the whole text for gaps each time, which took a third of asking.
    """
    cursor = connection.cursor()
    if connection.vendor == "postgresql":
        from django.db.backends.postgresql.base import ServerBindingCursor  # without psycopg there is no such module

        cursor.cursor = ServerBindingCursor(connection.connection)  # type: ignore[call-arg]  # unknown to the stubs
    elif connection.vendor == "sqlite":
        cursor.cursor = connection.connection.cursor(factory=_SQLiteCursor)
    return cursor


_with_marks: dict[str, str] = {}  # the text of each statement as SQLite takes it; there are as many as statements


class _SQLiteCursor(SQLiteCursorWrapper):
    def convert_query(self, query: str, *, param_names: Sequence[str] | None = None) -> str:
        found = _with_marks.get(query)
        if found is None:
            found = _with_marks[query] = str(super().convert_query(query, param_names=param_names))
        return found


def _filled(parameters: tuple[Any, ...], given: Mapping[str, Any], connection: Any) -> tuple[Any, ...]:
    filled = []
    for each in parameters:
        value = given[each.name] if type(each) is Given else each
        # Words and numbers are stored as they are, and most values are one or the other.
        filled.append(each.stored(value, connection) if type(each) is Given and type(value) not in _PLAIN else value)
    return tuple(filled)
