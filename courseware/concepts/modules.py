"""One module as its folder says: its concepts in order, each with its card, and what it keeps for looking things up.

Pure. It does not know misconceptions, questions, exercises or pages.
"""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from courseware.concepts.cards import Card, read_card
from courseware.concepts.faults import Faults
from courseware.concepts.grading import GradeFormula, read_grade
from courseware.concepts.markup import MarkupError, plain_text
from courseware.concepts.reference import Reference, link_first_uses, read_reference
from courseware.concepts.sources import Fields, read_yaml

_FOLDER = re.compile(r"(\d\d)-([a-z0-9]+(?:-[a-z0-9]+)*)")
_MODULE_FILES = {"module.yaml", "blueprint.yaml", "misconceptions.yaml", "glossary.yaml", "notation.yaml"}
_MODULE_FOLDERS = {"concepts", "notes"}
_CONCEPT_FILES = {"card.md", "bank.yaml", "misconceptions.yaml"}


@dataclass(frozen=True)
class Concept:
    """One concept of a module. Without a card it is in preparation: listed, never linked.

    Its folder may hold exercises and misconceptions before the card is written.
    """

    id: str
    number: int
    title: str
    promise: str
    folder: Path | None
    card: Card | None
    needs: tuple[str, ...] = ()  # ids of earlier concepts that it builds on
    place: tuple[int, int] = (1, 1)  # column and row on the module's map


@dataclass(frozen=True)
class Module:
    """A run of concepts with one test at its end."""

    id: str
    number: int
    title: str
    promise: str
    concepts: tuple[Concept, ...]
    folder: Path
    grade: GradeFormula | None = None
    reference: Reference = field(default_factory=Reference)


def read_module(folder: Path, faults: Faults, cache: Path | None) -> Module | None:
    path = folder / "module.yaml"
    mapping = read_yaml(path, faults)
    if mapping is None:
        return None
    fields = Fields(mapping, path, faults)
    number, identifier = fields.integer("number", minimum=1), fields.text("id")
    if folder.name != f"{number:02d}-{identifier}":
        fields.fault("id", f"with its number makes {number:02d}-{identifier}, but the folder is {folder.name}")
    folders = {each.name: each for each in numbered_folders(folder / "concepts", faults)}
    concepts = []
    for position, reader in enumerate(fields.each("concepts"), start=1):
        concepts.append(_read_concept(reader, position, folders, faults, cache))
        for needed in concepts[-1].needs:
            if needed not in {earlier.id for earlier in concepts[:-1]}:
                reader.fault("needs", f"{needed!r} is no earlier concept of this module")
    for unknown in folders.values():
        faults.add(unknown, 1, "folder", "belongs to no concept: module.yaml has none with this number and id")
    if not concepts:
        fields.fault("concepts", "names no concept")
    written = {each.id: [section.id for section in each.card.sections] for each in concepts if each.card}
    reference = read_reference(folder, faults, written, cache)
    module = Module(
        id=identifier,
        number=number,
        title=_plain(fields, "title"),
        promise=_plain(fields, "promise"),
        concepts=tuple(_with_terms(concept, reference) for concept in concepts),
        folder=folder,
        grade=read_grade(fields),
        reference=reference,
    )
    fields.refuse_unknown()
    _refuse_unknown_entries(folder, _MODULE_FILES, _MODULE_FOLDERS, faults)
    return module


def _read_concept(reader: Fields, number: int, folders: dict[str, Path], faults: Faults, cache: Path | None) -> Concept:
    identifier, title = reader.text("id"), _plain(reader, "title")
    promise = _plain(reader, "promise")
    needs = reader.texts("needs", required=False)
    place = reader.numbers("map") if "map" in reader.mapping else (1, number)
    if len(place) != 2 or not all(type(at) is int and at > 0 for at in place):
        reader.fault("map", "is a column and a row, such as [1, 2]")
        place = (1, number)
    reader.refuse_unknown()
    folder = folders.pop(f"{number:02d}-{identifier}", None)
    card = None
    if folder is not None:
        if (folder / "card.md").exists():
            card = read_card(folder / "card.md", faults, concept_id=identifier, title=title, cache=cache)
        elif (folder / "bank.yaml").exists():
            faults.add(folder / "bank.yaml", 1, "file", "asks about a card that is not written: card.md is missing")
        elif not any(folder.iterdir()):
            faults.add(folder, 1, "folder", "is empty; a concept has its card.md, or exercises until that is written")
        exercises = {each.name for each in folder.iterdir() if (each / "exercise.yaml").is_file()}
        _refuse_unknown_entries(folder, _CONCEPT_FILES, exercises, faults)
    return Concept(identifier, number, title, promise, folder, card, needs, (int(place[0]), int(place[1])))


def _with_terms(concept: Concept, reference: Reference) -> Concept:
    """Return the concept with its card's first uses of the glossary's terms linked."""
    if concept.card is None:
        return concept
    linked = link_first_uses(
        [section.html for section in concept.card.sections], reference.terms, concept_id=concept.id
    )
    sections = tuple(replace(each, html=html) for each, html in zip(concept.card.sections, linked, strict=True))
    return replace(concept, card=replace(concept.card, sections=sections))


def _refuse_unknown_entries(folder: Path, files: set[str], folders: set[str], faults: Faults) -> None:
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith((".", "__")):
            continue
        if entry.is_dir() and entry.name not in folders:
            allowed = ", ".join(sorted(folders)) or "exercises, each with its exercise.yaml"
            faults.add(entry, 1, "folder", f"is not known here; folders here are {allowed}")
        if not entry.is_dir() and entry.name not in files:
            faults.add(entry, 1, "file", f"is not known here; files here are {', '.join(sorted(files))}")


def numbered_folders(path: Path, faults: Faults) -> list[Path]:
    """Return the folders that are named as modules and concepts are; report all others."""
    if not path.is_dir():
        return []
    found = []
    for folder in sorted(path.iterdir()):
        if not folder.is_dir() or folder.name.startswith((".", "__")):
            continue
        if _FOLDER.fullmatch(folder.name):
            found.append(folder)
        else:
            faults.add(folder, 1, "folder", "is not named like 05-transformers, with two digits and an id")
    return found


def _plain(fields: Fields, name: str) -> str:
    try:
        return plain_text(fields.text(name))
    except MarkupError as error:
        fields.fault(name, error.reason)
        return ""
