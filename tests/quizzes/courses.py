"""Copies of the course that a test may edit."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

COURSE = Path(__file__).resolve().parents[2] / "courseware" / "content"


def edited_course(folder: Path, edit: Callable[[dict[str, Any]], None], *, file: str = "bank.yaml") -> Path:
    """Return a copy of the course in which one file was changed as its parsed values."""
    course = folder / "course"
    shutil.copytree(COURSE, course)
    path = min(course.rglob(file))  # the first concept's; the order of a folder's entries is nobody's promise
    values = yaml.safe_load(path.read_text(encoding="utf-8"))
    edit(values)
    path.write_text(yaml.safe_dump(values, allow_unicode=True, sort_keys=False, width=100_000), encoding="utf-8")
    return course


def first_of(bank: dict[str, Any], kind: str) -> dict[str, Any]:
    return next(question for question in bank["questions"] if question["kind"] == kind)


def move_the_key(bank: dict[str, Any]) -> None:
    """Make the wrong option after the key of the first single the right one."""
    options = first_of(bank, "single")["options"]
    place = next(index for index, option in enumerate(options) if option.get("right"))
    key, other = options[place], options[(place + 1) % len(options)]
    del key["right"]
    for name in ("misconception", "slip"):
        if name in other:
            key[name] = other.pop(name)
    other["right"] = True
