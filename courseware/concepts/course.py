"""The course that is served: its modules, their concepts in order, and what its learners may believe wrongly.

Files in, frozen values out. It does not know the questions, exercises or pages that refer to it. `current` alone
knows the settings; everything else here is given its folder.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path

from courseware.concepts.faults import Faults
from courseware.concepts.misconceptions import Misconception, Slip, read_misconceptions
from courseware.concepts.modules import Concept, Module, numbered_folders, read_module


@dataclass(frozen=True)
class Place:
    """Where something is explained: a section of a card, or a concept whose card is still being written."""

    concept: Concept
    section_id: str
    section_title: str  # "" while the card is in preparation
    is_written: bool


@dataclass(frozen=True)
class Course:
    """Everything that a course directory says about concepts; ids are unique in it."""

    path: Path
    modules: tuple[Module, ...]
    misconceptions: Mapping[str, Misconception]
    slips: Mapping[str, Slip]
    digest: str  # of every file read here
    cache: Path | None  # the folder of renderings, for what else is read of this course

    @property
    def module(self) -> Module:
        """Return the first module."""
        return self.modules[0]

    def concept(self, concept_id: str) -> Concept | None:
        return self._by_id.get(concept_id)

    def concepts(self) -> Iterator[Concept]:
        return (concept for module in self.modules for concept in module.concepts)

    @cached_property
    def _by_id(self) -> Mapping[str, Concept]:
        return {concept.id: concept for concept in self.concepts()}

    def label(self, cause_id: str) -> str:
        """Return the label of a misconception or slip; its id where the course no longer has it."""
        cause = self.misconceptions.get(cause_id) or self.slips.get(cause_id)
        return cause.label if cause else cause_id

    def place(self, misconception: Misconception) -> Place | None:
        """Return where a misconception is set right; a place that is not written yet is shown without a link."""
        concept = self.concept(misconception.see_concept)
        if concept is None:
            return None
        section = concept.card.section(misconception.see_section) if concept.card else None
        return Place(concept, misconception.see_section, section.title if section else "", section is not None)


@lru_cache(maxsize=4)
def _load(path: Path, var: Path) -> Course:
    faults = Faults()
    course = load_course(Path(path), faults, cache=rendered_in(var))
    faults.raise_if_any()
    return course


def current() -> Course:
    """Return the course of this site, loaded once in a process.

    Errors:  BrokenCourse with every fault, which stops the start of the process
    """
    from django.conf import settings  # here and nowhere else, so that all else stays usable without Django

    # The settings as they are: a page asks a hundred times, and making a path takes longer than finding the course.
    return _load(settings.COURSE_PATH, settings.VAR_PATH)


def rendered_in(var: Path) -> Path:
    """Return the folder in which a site keeps what it has rendered."""
    return Path(var) / "rendered"


def load_course(path: Path, faults: Faults, *, cache: Path | None = None) -> Course:
    """Return the course that a directory holds, with every fault of every file reported."""
    modules: list[Module] = []
    misconceptions: dict[str, Misconception] = {}
    slips: dict[str, Slip] = {}
    for folder in numbered_folders(path, faults):
        module = read_module(folder, faults, cache)
        if module is None:
            continue
        _refuse_repeats(module, modules, faults)
        modules.append(module)
        for source in _misconception_files(module):
            beliefs, errors = read_misconceptions(source, faults, cache=cache)
            for identifier in (misconceptions.keys() & beliefs) | (slips.keys() & errors):
                faults.add(source, 1, identifier, "is an id that another file has already")
            misconceptions |= beliefs
            slips |= errors
            _check_places(module, beliefs, faults)
    if not modules:
        faults.add(
            path, 1, "directory", "holds no module, which is a folder such as 05-transformers with a module.yaml"
        )
    return Course(path, tuple(modules), misconceptions, slips, _digest(path), cache)


def _misconception_files(module: Module) -> Iterator[Path]:
    """Yield the module's own file, for what belongs to no one concept, and then those of its concepts."""
    yield module.folder / "misconceptions.yaml"
    for concept in module.concepts:
        if concept.folder is not None and (concept.folder / "misconceptions.yaml").exists():
            yield concept.folder / "misconceptions.yaml"


def _refuse_repeats(module: Module, others: list[Module], faults: Faults) -> None:
    path = module.folder / "module.yaml"
    seen = {concept.id for other in others for concept in other.concepts}
    for index, concept in enumerate(module.concepts):
        if concept.id in seen:
            faults.add(path, 1, f"concepts.{index}.id", f"{concept.id!r} stands twice in the course")
        seen.add(concept.id)


def _check_places(module: Module, beliefs: Mapping[str, Misconception], faults: Faults) -> None:
    concepts = {concept.id: concept for concept in module.concepts}
    for belief in beliefs.values():
        key = f"misconceptions.{belief.id}.see"
        concept = concepts.get(belief.see_concept)
        if belief.see_concept and concept is None:
            faults.add(belief.path, belief.line, key, f"the module has no concept {belief.see_concept!r}")
        elif concept is not None and concept.card and concept.card.section(belief.see_section) is None:
            reason = f"the card {concept.id} has no section {belief.see_section!r}"
            faults.add(belief.path, belief.line, key, reason)


def _digest(path: Path) -> str:
    digest = sha256()
    patterns = (
        "*/module.yaml",
        "*/glossary.yaml",
        "*/notation.yaml",
        "*/misconceptions.yaml",
        "*/concepts/*/misconceptions.yaml",
        "*/concepts/*/card.md",
    )
    for file in sorted(file for pattern in patterns for file in path.glob(pattern)):
        digest.update(f"{file.relative_to(path)}\0".encode() + file.read_bytes() + b"\0")
    return digest.hexdigest()
