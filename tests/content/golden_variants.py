"""Adds families that the golden table lacks: `python -m tests.content.golden_variants`. Never changes a line of it.

The table says which numbers a seed gives. A learner's sitting keeps its own numbers, but a practice form with a fixed
seed, and a seed named in a report, must give the same question for ever.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from quizzes.paper import variant_of
from quizzes.questions import Question
from tests.content.reading import questions

TABLES = Path(__file__).with_name("golden_variants")  # a file for each concept
SEEDS = ("0", "7", "2026", "a-learner")

Table = dict[str, dict[str, Mapping[str, float]]]


def families() -> dict[str, Question]:
    """Return the questions of the course whose numbers are drawn."""
    return {id_: question for id_, question in questions().items() if variant_of(question, SEEDS[0]).parameters}


def table() -> Table:
    found: Table = {}
    for file in sorted(TABLES.glob("*.json")):
        found |= json.loads(file.read_text(encoding="utf-8"))
    return found


def write(known: Table) -> None:
    """Write a line for each family, for reading a diff, into the file of its concept."""
    by_concept: dict[str, list[str]] = {}
    for id_ in sorted(known):
        line = f"{json.dumps(id_)}: {json.dumps(known[id_])}"
        by_concept.setdefault(id_.partition("/")[0], []).append(line)
    TABLES.mkdir(exist_ok=True)
    for concept, lines in by_concept.items():
        (TABLES / f"{concept}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    known = table()
    for id_, question in families().items():
        known.setdefault(id_, {seed: dict(variant_of(question, seed).parameters) for seed in SEEDS})
    write(known)
