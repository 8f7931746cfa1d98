"""A course with a question of every kind in which everything that must stay hidden holds a word of its own.

Its self-check and its practice questions are of the same kinds and hold no such word: they stay open during a test.
"""

import copy
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.quizzes.every_kind import course_of_every_kind
from tests.quizzes.making import BELIEF, OTHER_BELIEF, SLIP

_CAUSES = ("misconception", "slip")
KEY = ".8643"  # the end of every key of the family of numbers
TOLERANCES = ("0.01037", "0.00637")
HIDDEN = "zq"  # how every such word begins, and no other text of the site


@dataclass(frozen=True)
class Marked:
    """A course and its words. Whatever begins with HIDDEN and is not among them must not be shown to learners ever."""

    course: Path
    explained: frozenset[str]  # what a learner sees once explanations are shown


def make_marked_course(folder: Path) -> Marked:
    """Write the course; each explanation, label, id, accepted form, correction and tolerance of its test is marked."""
    course = course_of_every_kind(folder)
    path = next(course.rglob("bank.yaml"))
    bank = yaml.safe_load(path.read_text(encoding="utf-8"))
    words = _Words()
    practice = [_for_practice(question) for question in copy.deepcopy(bank["questions"])]
    for question in bank["questions"]:
        _mark(question, words)
    bank["questions"] += practice
    _write(path, bank)
    _mark_causes(next(course.rglob("misconceptions.yaml")), words)
    blueprint = next(course.rglob("blueprint.yaml"))
    blueprint.write_text(blueprint.read_text(encoding="utf-8") + "    attempts: 3\n", encoding="utf-8")
    return Marked(course=course, explained=frozenset(words.explained))


class _Words:
    """Makes words, and remembers which of them learners are to see in the end."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self.explained: set[str] = set()

    def shown(self, what: str) -> str:
        word = self.hidden(what)
        self.explained.add(word)
        return word

    def hidden(self, what: str) -> str:
        return f"{HIDDEN}{what}{next(self._numbers)}end"  # "end", so that no word is the beginning of another


def _for_practice(question: dict[str, Any]) -> dict[str, Any]:
    stem = f"In practice: {question['stem']}"
    return question | {"id": f"practise-{question['id']}", "pool": "practice", "stem": stem}


def _mark(question: dict[str, Any], words: _Words) -> None:
    renamed: dict[str, str] = {}
    for entry in _mappings(question):
        if "why" in entry:
            entry["why"] = f"{entry['why'].rstrip().removesuffix('.')} {words.shown('why')}."
        for name in _CAUSES:
            if name in entry:
                entry[name] = marked_id(entry[name])
        if "id" in entry and entry is not question:
            renamed[entry["id"]] = entry["id"] = words.hidden("id")
        if "fix" in entry:
            entry["fix"] += f"  # {words.shown('fix')}"
        if entry.get("change", {}).get("to", "").endswith(")"):
            entry["change"]["to"] += f"  # {words.shown('change')}"
        if "forms" in entry:
            entry["forms"] = [entry["forms"][0], words.shown("form")]  # the first is what learners type in tests
        if "abs" in entry:
            entry["abs"] += 0.00037
    if question["kind"] == "numeric":
        question |= {"answer": f"{question['answer']} + 0{KEY}", "decimals": len(KEY) - 1}
    if question["kind"] == "matrix":  # four digits, by which its cells are told from any other number of a page
        question |= {"answer": f"0.9137 * ({question['answer']})", "decimals": 4}
    for premise in question.get("premises", ()):
        premise["response"] = renamed[premise["response"]]
    for swap in question.get("swaps", ()):
        swap |= {name: renamed[swap[name]] for name in ("early", "late")}
    if "accepted" in question:
        question["accepted"] = [words.shown("accepted")]


def _mappings(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value, *(each for inner in list(value.values()) for each in _mappings(inner))]
    return [each for inner in value for each in _mappings(inner)] if isinstance(value, list) else []


def marked_id(cause_id: str) -> str:
    """Return the id by which the test's questions know a cause; practice knows it by its own."""
    head, _, rest = cause_id.partition("-")
    return f"{head}-{HIDDEN}-{rest}"


def _mark_causes(path: Path, words: _Words) -> None:
    named = yaml.safe_load(path.read_text(encoding="utf-8"))
    for family, causes in (("misconceptions", (BELIEF, OTHER_BELIEF)), ("slips", (SLIP,))):
        for cause in causes:
            label = f"{cause.label} {words.shown('label')}"
            named[family][marked_id(cause.id)] = named[family][cause.id] | {"label": label}
    _write(path, named)


def _write(path: Path, values: Any) -> None:
    path.write_text(yaml.safe_dump(values, allow_unicode=True, sort_keys=False, width=100_000), encoding="utf-8")
