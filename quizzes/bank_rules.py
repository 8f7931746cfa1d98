"""What a bank keeps to as a whole: it asks for more than memory, and its explanations say more than its questions.

Pure. Faults name their line; what a single question keeps to is its kind's and `prose`'s.
"""

import re
from collections.abc import Iterator, Sequence

from courseware.concepts.sources import Fields, YamlList, YamlMapping
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


def check_stem(entry: Fields, stem: str) -> None:
    """Report each explanation that repeats its own question: the learner has just read that."""
    words = _words(stem)
    runs = {tuple(words[at : at + STEM_WORDS]) for at in range(len(words) - STEM_WORDS + 1)}
    for line, why in _explanations(entry.mapping):
        said = _words(why)
        if any(tuple(said[at : at + STEM_WORDS]) in runs for at in range(len(said) - STEM_WORDS + 1)):
            entry.faults.add(entry.path, line, f"{entry.key}.why", f"repeats {STEM_WORDS} words of its own question")


def _explanations(value: object) -> Iterator[tuple[int, str]]:
    if isinstance(value, YamlMapping):
        if isinstance(value.get("why"), str):
            yield value.line_of("why"), value["why"]
        for inner in value.values():
            yield from _explanations(inner)
    elif isinstance(value, YamlList):
        for inner in value:
            yield from _explanations(inner)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())
