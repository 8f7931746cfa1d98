"""Nested lists of numbers in a course file: the inputs and outputs of a visible example.

Pure: no NumPy, so the site can read and show them.
"""

from typing import Any

from courseware.concepts.sources import Fields

Nested = tuple["Nested | float", ...]


def read_nested(fields: Fields, name: str) -> Nested:
    """Return nested lists of numbers of one length at each level; an empty tuple after reporting a fault."""
    entries = fields.entries(name)
    if not entries or _shape(entries) is None:
        fields.fault(name, "must be lists of numbers, all of one length at each level")
        return ()
    return _freeze(entries)


def _shape(value: Any) -> tuple[int, ...] | None:
    """Return the shape of nested lists, or None where they are ragged or hold something but numbers."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return ()
    if not isinstance(value, list):
        return None
    shapes = {_shape(entry) for entry in value}
    inner = shapes.pop() if len(shapes) == 1 else None
    return None if inner is None else (len(value), *inner)


def _freeze(entries: list[Any]) -> Nested:
    return tuple(_freeze(entry) if isinstance(entry, list) else float(entry) for entry in entries)
