"""What a function is called with: the parameters that an exercise states, and the visible examples of its calls.

An argument is an array, written as nested lists of numbers or of true and false, or one plain value such as the number
of an axis. Pure: no NumPy, so the site can read and show them.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from courseware.concepts.sources import Fields
from grader.nested import Nested, read_nested
from grader.verdicts import IDENTIFIER

Plain = int | float | bool | str | None
Given = Nested | Plain


@dataclass(frozen=True)
class Parameter:
    """One argument of the function, or what it returns (then the name is empty)."""

    name: str
    shape: str  # "…, queries, width"; "" for one plain value
    meaning: str
    default: str = ""  # as Python writes it, such as "-1" or "None"; "" where every call must give it


@dataclass(frozen=True)
class Example:
    """A visible example: its input and the expected output are shown to everybody."""

    id: str
    title: str
    inputs: tuple[tuple[str, Given], ...]  # by parameter name, in order; defaults at the end are left out
    expected: Nested


def signature_of(function: str, parameters: Iterable[Parameter]) -> str:
    """Return how the function is defined, such as "softmax(x, axis=-1)"."""
    written = (f"{each.name}={each.default}" if each.default else each.name for each in parameters)
    return f"{function}({', '.join(written)})"


def read_parameter(fields: Fields) -> Parameter:
    """Return one argument of the function; one that has a default is a plain value unless it has a shape too."""
    default = fields.text("default", required=False)
    shape = fields.text("shape", required=not (default or fields.flag("plain")))
    parameter = Parameter(fields.text("name"), shape, fields.text("meaning"), default)
    fields.refuse_unknown()
    return parameter


def read_returned(fields: Fields) -> Parameter:
    """Return what the function returns."""
    returned = Parameter("", fields.text("shape"), fields.text("meaning"))
    fields.refuse_unknown()
    return returned


def read_example(fields: Fields, parameters: Iterable[Parameter]) -> Example:
    """Return one visible example."""
    inputs = fields.fields("inputs")
    example = Example(
        id=read_identifier(fields, "id"),
        title=fields.text("title"),
        inputs=read_given(inputs, parameters) if inputs else (),
        expected=read_nested(fields, "expected"),
    )
    fields.refuse_unknown()
    return example


def read_given(fields: Fields, parameters: Iterable[Parameter]) -> tuple[tuple[str, Given], ...]:
    """Return the arguments of one call. Arguments go by position, so nothing may follow a default that is left out."""
    given: list[tuple[str, Given]] = []
    for parameter in parameters:
        if parameter.default and parameter.name not in fields.mapping:
            break
        if not parameter.shape and parameter.name not in fields.mapping:
            fields.fault(parameter.name, "is missing")
        value = read_nested(fields, parameter.name) if parameter.shape else fields.plain(parameter.name)
        given.append((parameter.name, value))
    fields.refuse_unknown()
    return tuple(given)


def read_identifier(fields: Fields, name: str) -> str:
    """Return an id: lower-case letters, digits and hyphens."""
    text = fields.text(name)
    if text and re.fullmatch(IDENTIFIER, text) is None:
        fields.fault(name, "must be lower-case letters, digits and hyphens")
    return text
