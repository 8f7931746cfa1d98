"""Reading of JSON that another process sent, with every field checked before it is believed.

Owns the rule that a message is refused as a whole (ValueError) if one field is absent, unknown, of another type, too
long or not a finite number. Pure: knows neither Django nor Celery, nor what the messages mean.
"""

import math
import re
from collections.abc import Callable
from typing import Any, TypeVar

Value = TypeVar("Value")

TEXT_LIMIT = 2_000  # characters; longer texts state their own limit
LIST_LIMIT = 128  # entries; no list in a message of ours comes near it
MATRIX_SIDE = 128  # rows or columns; a larger picture cannot be read on a page

# A cell is a number rounded to four digits, or None where it was NaN or infinite (JSON has neither).
Matrix = tuple[tuple[float | None, ...], ...]


class Untrusted:
    """Reads the fields of one JSON object; `refuse_unknown` ends the reading."""

    def __init__(self, message: object, where: str = "message") -> None:
        if not isinstance(message, dict) or not all(isinstance(key, str) for key in message):
            raise ValueError(f"{where} must be an object")
        self._message: dict[str, Any] = message
        self._where = where
        self._asked: set[str] = set()

    def text(self, name: str, *, limit: int = TEXT_LIMIT) -> str:
        """Return a text of at most `limit` characters that PostgreSQL can store."""
        value = self._get(name)
        if not isinstance(value, str) or len(value) > limit:
            raise self._fault(name, f"must be a text of at most {limit} characters")
        if "\0" in value or re.search("[\ud800-\udfff]", value):
            raise self._fault(name, "holds characters that cannot be stored")
        return value

    def matching(self, name: str, pattern: str) -> str:
        """Return a text that matches the whole pattern."""
        value = self.text(name)
        if re.fullmatch(pattern, value) is None:
            raise self._fault(name, f"must match {pattern}")
        return value

    def optional_text(self, name: str, *, limit: int = TEXT_LIMIT) -> str | None:
        return None if self._is_null(name) else self.text(name, limit=limit)

    def flag(self, name: str) -> bool:
        value = self._get(name)
        if not isinstance(value, bool):
            raise self._fault(name, "must be true or false")
        return value

    def integer(self, name: str, *, minimum: int = 0, maximum: int = 2**63 - 1) -> int:
        value = self._get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not minimum <= value <= maximum:
            raise self._fault(name, f"must be a whole number from {minimum} to {maximum}")
        return value

    def optional_integer(self, name: str, *, minimum: int = 0, maximum: int = 2**31 - 1) -> int | None:
        return None if self._is_null(name) else self.integer(name, minimum=minimum, maximum=maximum)

    def number(self, name: str, *, minimum: float = 0.0) -> float:
        value = self._get(name)
        if not is_finite_number(value) or value < minimum:
            raise self._fault(name, f"must be a finite number of at least {minimum}")
        return float(value)

    def optional_number(self, name: str, *, minimum: float = 0.0) -> float | None:
        return None if self._is_null(name) else self.number(name, minimum=minimum)

    def choice(self, name: str, build: Callable[[str], Value]) -> Value:
        """Return the member of an enumeration that the text names; `build` is the enumeration."""
        value = self.text(name)
        try:
            return build(value)
        except ValueError as error:
            raise self._fault(name, f"has no such value: {value[:40]!r}") from error

    def entries(self, name: str, *, limit: int = LIST_LIMIT) -> list[Any]:
        value = self._get(name)
        if not isinstance(value, list) or len(value) > limit:
            raise self._fault(name, f"must be a list of at most {limit} entries")
        return value

    def each(self, name: str, read: Callable[[object], Value], *, limit: int = LIST_LIMIT) -> tuple[Value, ...]:
        """Return what `read` makes of each entry of a list."""
        return tuple(read(entry) for entry in self.entries(name, limit=limit))

    def optional(self, name: str, read: Callable[[object], Value]) -> Value | None:
        """Return what `read` makes of the field, or None where it is null."""
        return None if self._is_null(name) else read(self._get(name))

    def built(self, name: str, read: Callable[[object], Value]) -> Value:
        """Return what `read` makes of the field."""
        return read(self._get(name))

    def names(self, *, limit: int) -> list[str]:
        """Return the names of all fields, for an object whose keys are free."""
        if len(self._message) > limit or any(len(name) > 40 for name in self._message):
            raise ValueError(f"{self._where} must have at most {limit} short keys")
        return sorted(self._message)

    def numbers(self, name: str) -> dict[str, float]:
        """Return an object whose values are finite numbers, none below zero."""
        inner = Untrusted(self._get(name), f"{self._where}.{name}")
        return {key: inner.number(key) for key in inner.names(limit=16)}

    def matrix(self, name: str) -> Matrix:
        """Return a rectangular matrix of finite numbers and gaps."""
        rows = self.entries(name, limit=MATRIX_SIDE)
        if not rows or not all(isinstance(row, list) and 1 <= len(row) <= MATRIX_SIDE for row in rows):
            raise self._fault(name, f"must be a matrix of at most {MATRIX_SIDE} rows and columns")
        if len({len(row) for row in rows}) != 1:
            raise self._fault(name, "must have rows of one length")
        if not all(cell is None or is_finite_number(cell) for row in rows for cell in row):
            raise self._fault(name, "must hold finite numbers or null")
        return tuple(tuple(None if cell is None else float(cell) for cell in row) for row in rows)

    def texts(self, name: str, *, limit: int = LIST_LIMIT) -> tuple[str, ...]:
        entries = self.entries(name, limit=limit)
        readers = [Untrusted({"entry": entry}, f"{self._where}.{name}") for entry in entries]
        return tuple(reader.text("entry") for reader in readers)

    def refuse_unknown(self) -> None:
        """Raise ValueError if the object holds a field that was not asked for."""
        unknown = sorted(set(self._message) - self._asked)
        if unknown:
            raise ValueError(f"{self._where} holds unknown fields: {', '.join(name[:40] for name in unknown[:5])}")

    def _is_null(self, name: str) -> bool:
        return self._get(name) is None

    def _get(self, name: str) -> Any:
        self._asked.add(name)
        if name not in self._message:
            raise self._fault(name, "is missing")
        return self._message[name]

    def _fault(self, name: str, reason: str) -> ValueError:
        return ValueError(f"{self._where}.{name} {reason}")


def is_finite_number(value: object) -> bool:
    """Say whether a JSON value is a finite number; Python's json also reads NaN, Infinity and endless integers."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < 10**308 if isinstance(value, int) else math.isfinite(value)
