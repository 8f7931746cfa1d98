"""What a bank keeps to as a whole: it asks for more than memory, and its explanations say more than its questions.

Pure. Faults name their line; what a single question keeps to is its kind's and `prose`'s.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from courseware.concepts.faults import Faults
from courseware.concepts.sources import Fields, YamlList, YamlMapping, read_yaml
from quizzes.questions import Bloom, Question

UNDERSTAND_AT_LEAST = 0.5  # of a bank: recalling a term shows little of whether it is understood
APPLY_AT_LEAST = 0.25
STEM_WORDS = 8  # a run this long is the question copied; shorter ones are how one speaks of its subject


def check_levels(fields: Fields, questions: Sequence[Question]) -> None:
    """Report a bank that asks mostly for memory."""
    for share, levels, asked in (
        (UNDERSTAND_AT_LEAST, (Bloom.UNDERSTAND, Bloom.APPLY, Bloom.ANALYSE), "understand, apply or analyse"),
        (APPLY_AT_LEAST, (Bloom.APPLY, Bloom.ANALYSE), "apply or analyse"),
    ):
        count = sum(question.bloom in levels for question in questions)
        if count < share * len(questions):
            fields.fault("questions", f"{count} of {len(questions)} ask to {asked}; {share:.0%} do at least")


def check_echoes(course: Path, faults: Faults) -> None:
    """Report each explanation that repeats its own question: the learner has just read that."""
    for file in sorted(course.glob("*/concepts/*/bank.yaml")):
        mapping = read_yaml(file, Faults())  # faults of form are the loader's to report
        entries = [mapping.get("self_check"), *(mapping.get("questions") or ())] if mapping is not None else []
        for entry in entries:
            if isinstance(entry, YamlMapping) and isinstance(entry.get("stem"), str):
                asked = _runs(entry["stem"])
                for line, why in _explanations(entry):
                    if asked & _runs(why):
                        faults.add(file, line, "why", f"repeats {STEM_WORDS} words of its own question")


def _runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[^\W_]+", text.casefold())
    return {tuple(words[at : at + STEM_WORDS]) for at in range(len(words) - STEM_WORDS + 1)}


def _explanations(value: object) -> Iterator[tuple[int, str]]:
    if isinstance(value, YamlMapping):
        if isinstance(value.get("why"), str):
            yield value.line_of("why"), value["why"]
        for inner in value.values():
            yield from _explanations(inner)
    elif isinstance(value, YamlList):
        for inner in value:
            yield from _explanations(inner)
