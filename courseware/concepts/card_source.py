"""A card's file taken apart: front matter, the four parts, their list items and sections, each with its line.

Pure. It knows the form of the file and not what a good card says.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from courseware.concepts.faults import Faults

PARTS = ("Five lines", "Fifteen lines", "Deep dive", "Recap")

_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
_SECTION = re.compile(r"##\s+(?P<title>.*?)\s*\{#(?P<id>[^}]*)\}\s*")
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
# The pages use these ids themselves.
_TAKEN = {"main", "check", "recap"}


@dataclass(frozen=True)
class Text:
    """A piece of a file: its first line there, and what it says."""

    line: int
    text: str


@dataclass(frozen=True)
class SectionSource:
    """A section of the deep dive before it is rendered."""

    id: str
    title: Text
    body: Text


def split_front_matter(path: Path, source: str, faults: Faults) -> tuple[str, Text] | None:
    """Return the front matter, whose first line is line 2, and the body; None after reporting that there is none."""
    lines = source.split("\n")
    if lines[0].rstrip() != "---":
        faults.add(path, 1, "file", "must begin with a line --- and front matter")
        return None
    for number, line in enumerate(lines[1:], start=2):
        if line.rstrip() == "---":
            return "\n".join(lines[1 : number - 1]), Text(number + 1, "\n".join(lines[number:]))
    faults.add(path, 1, "file", "has front matter that no second line --- ends")
    return None


def split_parts(path: Path, body: Text, faults: Faults) -> dict[str, Text]:
    """Return the four parts by title; one that is missing is reported and empty."""
    parts: dict[str, Text] = {}
    before = _cut(body, "# ")
    _refuse_loose_text(path, before[0], "body", "stands before the first part, where no page would show it", faults)
    titles = []
    for part in before[1:]:
        first, _, rest = part.text.partition("\n")
        title = first[2:].strip()
        if title not in PARTS:
            faults.add(path, part.line, "body", f"{title!r} is no part of a card; its parts are {', '.join(PARTS)}")
        elif title in parts:
            faults.add(path, part.line, title, "stands twice")
        else:
            titles.append(title)
            parts[title] = Text(part.line + 1, rest)
    for title in PARTS:
        if title not in parts:
            faults.add(path, body.line, title, "is missing")
            parts[title] = Text(body.line, "")
    if titles != sorted(titles, key=PARTS.index):
        faults.add(path, body.line, "body", f"the parts stand in the order {', '.join(PARTS)}")
    return parts


def split_sections(path: Path, deep: Text, faults: Faults) -> list[SectionSource]:
    """Return the sections of the deep dive."""
    pieces = _cut(deep, "## ")
    _refuse_loose_text(path, pieces[0], "deep", "stands before the first section, where no page would show it", faults)
    sections: list[SectionSource] = []
    for piece in pieces[1:]:
        first, _, rest = piece.text.partition("\n")
        match = _SECTION.fullmatch(first)
        if match is None or not match["title"] or not _ID.fullmatch(match["id"]):
            faults.add(path, piece.line, "deep", f"a section begins “## Title {{#some-id}}”, not {first!r}")
            continue
        key = f"deep.{match['id']}"
        if match["id"] in _TAKEN or match["id"] in {section.id for section in sections}:
            faults.add(path, piece.line, key, "is an id that the page has already")
        if not rest.strip():
            faults.add(path, piece.line, key, "is empty")
        sections.append(SectionSource(match["id"], Text(piece.line, match["title"]), Text(piece.line + 1, rest)))
    return sections


def list_items(path: Path, part: Text, key: str, faults: Faults, *, is_ordered: bool) -> list[Text]:
    """Return the items of a list that stand on one line each; anything else in the part is reported."""
    mark = re.compile(r"(\d+)\.\s+(.*\S)\s*" if is_ordered else r"([-*])\s+(.*\S)\s*")
    items: list[Text] = []
    for number, line in enumerate(part.text.split("\n"), start=part.line):
        match = mark.fullmatch(line)
        if match:
            items.append(Text(number, match[2]))
            if is_ordered and match[1] != str(len(items)):
                faults.add(path, number, f"{key}.{len(items)}", f"is numbered {match[1]}; items count 1, 2, 3, …")
        elif line.strip():
            wanted = "1., 2., 3., …" if is_ordered else "a hyphen"
            faults.add(path, number, key, f"each item is one line that begins with {wanted}; this is none: {line!r}")
    return items


def _cut(text: Text, mark: str) -> list[Text]:
    """Return what stands before the first line that begins with the mark, then each piece from there on."""
    pieces: list[list[str]] = [[]]
    starts = [text.line]
    for number, line, is_code in _lines(text):
        if line.startswith(mark) and not is_code:
            pieces.append([])
            starts.append(number)
        pieces[-1].append(line)
    return [Text(start, "\n".join(lines)) for start, lines in zip(starts, pieces, strict=True)]


def _lines(text: Text) -> Iterator[tuple[int, str, bool]]:
    fence = ""
    for number, line in enumerate(text.text.split("\n"), start=text.line):
        match = _FENCE.match(line)
        if match and not fence:
            fence = match[1]
        elif match and match[1].startswith(fence) and line.strip() == match[1]:
            fence = ""
        yield number, line, bool(fence)


def _refuse_loose_text(path: Path, piece: Text, key: str, reason: str, faults: Faults) -> None:
    for number, line in enumerate(piece.text.split("\n"), start=piece.line):
        if line.strip():
            faults.add(path, number, key, f"{line.strip()!r} {reason}")
            return
