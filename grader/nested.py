"""Nested lists of numbers in a course file: the inputs and outputs of a visible example.

Pure: no NumPy, so the site can read and show them.
"""

from typing import Any

from courseware.concepts.sources import Fields

Nested = tuple["Nested | float", ...]  # a truth value is a number to Python, and stays the one that it is


def read_nested(fields: Fields, name: str) -> Nested:
    """Return nested lists of numbers, or of truth values, of one length at each level; empty after a fault."""
    entries = fields.entries(name)
    if not entries or _shape(entries) is None or len(_kinds(entries)) > 1:
        fields.fault(name, "must be lists of numbers, or of true and false, all of one length at each level")
        return ()
    frozen: Nested = _freeze(entries)
    return frozen


def _shape(value: Any) -> tuple[int, ...] | None:
    """Return the shape of nested lists, or None where they are ragged or hold something but numbers."""
    if isinstance(value, int | float):
        return ()
    if not isinstance(value, list):
        return None
    shapes = {_shape(entry) for entry in value}
    inner = shapes.pop() if len(shapes) == 1 else None
    return None if inner is None else (len(value), *inner)


def _kinds(value: Any) -> set[bool]:
    """Return whether the innermost values are truth values; both answers where they are mixed."""
    if isinstance(value, list):
        return set().union(*map(_kinds, value))
    return {isinstance(value, bool)}


def _freeze(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_freeze, value))
    return value if isinstance(value, bool) else float(value)
