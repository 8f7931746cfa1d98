"""Copies of the course that a test may edit."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from tests.short_test import course_with_a_short_test

CONCEPT = "scaled-dot-product-attention"


def edited_course(
    folder: Path, edit: Callable[[dict[str, Any]], None], *, file: str = "bank.yaml", concept: str = CONCEPT
) -> Path:
    """Return a copy of the course in which one file was changed as its parsed values."""
    course = course_with_a_short_test(folder / "course")
    path = edited_file(course, file, concept)
    values = yaml.safe_load(path.read_text(encoding="utf-8"))
    edit(values)
    path.write_text(yaml.safe_dump(values, allow_unicode=True, sort_keys=False, width=100_000), encoding="utf-8")
    return course


def edited_file(course: Path, file: str, concept: str = CONCEPT) -> Path:
    """Return the file of one concept, whatever other concepts have been written, or that of the module."""
    return next(iter([*course.rglob(f"*-{concept}/{file}"), *course.rglob(file)]))


def first_of(bank: dict[str, Any], kind: str) -> dict[str, Any]:
    return next(question for question in bank["questions"] if question["kind"] == kind)


def move_the_key(bank: dict[str, Any]) -> None:
    """Make a wrong option of the first single the right one, and not the longest: that is its bank's to bound."""
    options = first_of(bank, "single")["options"]
    place = next(index for index, option in enumerate(options) if option.get("right"))
    key = options[place]
    other = min((each for each in options if each is not key), key=lambda each: len(each["text"]))
    del key["right"]
    for name in ("misconception", "slip"):
        if name in other:
            key[name] = other.pop(name)
    other["right"] = True
