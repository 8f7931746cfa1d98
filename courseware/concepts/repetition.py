"""Sentences that a course says twice: what has been read once is skipped, and with it whatever is new beside it.

Reads every text file of a course as text. Pure: it knows no question and no card, only where prose stands in a file.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from courseware.concepts.card_source import split_front_matter
from courseware.concepts.faults import Faults
from courseware.concepts.sources import YamlList, YamlMapping, read_yaml

WORDS = 10  # from here on two equal sentences are one thought written down twice; short ones recur by necessity
# What is not prose, what is written for authors, and what quotes the card on purpose.
_NOT_PROSE = frozenset({"facts", "code", "output", "change", "reason", "accepted", "forms", "further_reading"})
_OF_A_CONCEPT = ("card.md", "bank.yaml", "misconceptions.yaml")
_FILES = (*(f"*/concepts/*/{name}" for name in _OF_A_CONCEPT), "*/glossary.yaml", "*/notation.yaml")
_SENTENCE = re.compile(r"(?<=[.!?])[\"”’)*_]*\s+(?=[\"“‘(*_$\[A-ZÀ-Þ])")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def check_repetition(course: Path, faults: Faults) -> None:
    """Report each sentence of ten words or more that has stood in the course before, at its second place."""
    seen: dict[str, str] = {}
    for file in (file for pattern in _FILES for file in sorted(course.glob(pattern))):
        for line, text in _prose(file):
            for sentence in _SENTENCE.split(" ".join(text.split())):
                if len(sentence.split()) < WORDS:
                    continue
                here = f"{file.parent.name}/{file.name}:{line}"
                first = seen.setdefault(sentence.casefold(), here)
                if first != here:
                    faults.add(file, line, "text", f"repeats a sentence of {first}: {sentence!r}")


def _prose(file: Path) -> Iterator[tuple[int, str]]:
    """Yield each paragraph of a file with its line; faults of form are the readers' of these files to report."""
    ignored = Faults()
    if file.suffix == ".yaml":
        mapping = read_yaml(file, ignored)
        yield from _texts(mapping, 1) if mapping is not None else ()
        return
    split = split_front_matter(file, file.read_text(encoding="utf-8"), ignored)
    if split is None:
        return
    front, body = split
    mapping = read_yaml(file, ignored, text=front, first_line=2)
    yield from _texts(mapping, 1) if mapping is not None else ()
    line = body.line
    for paragraph in _FENCE.sub(lambda fence: "\n" * fence.group().count("\n"), body.text).split("\n\n"):
        for item in re.split(r"\n(?=(?:- |\d+\. |\|))", paragraph):
            yield line, re.sub(r"^\s*(?:- |\d+\. )", "", item)
            line += item.count("\n") + 1
        line += 1


def _texts(value: object, line: int) -> Iterator[tuple[int, str]]:
    if isinstance(value, YamlMapping):
        for name, inner in value.items():
            if name not in _NOT_PROSE:
                yield from _texts(inner, value.line_of(name))
    elif isinstance(value, YamlList):
        for at, inner in enumerate(value):
            yield from _texts(inner, value.line_of(at))
    elif isinstance(value, str):
        yield line, value
