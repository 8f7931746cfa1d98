"""Where an explanation sends its reader: a section of a card, or the card behind a misconception.

A past sitting may name a section or a card that has gone or is not written yet; then there is no link to follow.
"""

from dataclasses import dataclass

from courseware.concepts.course import current
from quizzes.questions import Cause


@dataclass(frozen=True)
class Pointer:
    """A place in the course, by names for the page and ids for its address."""

    concept_id: str
    concept_title: str
    concept_number: int
    section_id: str
    section_title: str
    is_written: bool


def section(concept_id: str, section_id: str) -> Pointer | None:
    """Return a section of a card, None if the course has no such concept any more."""
    concept = current().concept(concept_id)
    if concept is None:
        return None
    titles = {each.id: each.title for each in concept.card.sections} if concept.card else {}
    return Pointer(
        concept_id=concept.id,
        concept_title=concept.title,
        concept_number=concept.number,
        section_id=section_id if section_id in titles else "",
        section_title=titles.get(section_id, ""),
        is_written=concept.card is not None,
    )


def behind(cause: Cause) -> Pointer | None:
    """Return the section that sets a misconception right; None for a slip, behind which there is no idea."""
    misconception = current().misconceptions.get(cause.id)
    if misconception is None:
        return None
    return section(misconception.see_concept, misconception.see_section)


def concept_title(concept_id: str) -> str:
    """Return the title of a concept, or its id where the course no longer has it."""
    concept = current().concept(concept_id)
    return concept.title if concept else concept_id
