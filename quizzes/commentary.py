"""Explanations as pages show them: the same entries for a self-check, a review and a teacher's look at a sitting."""

from dataclasses import dataclass
from functools import lru_cache

from courseware.concepts.course import current
from courseware.concepts.markup import render_block, render_inline
from quizzes import pointers, practice_pool
from quizzes.marking import comment, mark
from quizzes.models import QuestionSnapshot
from quizzes.pointers import Pointer
from quizzes.presenting import Stem, stem
from quizzes.questions import Answer, Cause, Figure, Marked, Note, Question, Shape, Variant
from quizzes.snapshots import Case, case_of


@dataclass(frozen=True)
class Idea:
    """A misconception or slip by name, and the card that sets it right."""

    id: str
    label: str  # plain text
    is_slip: bool
    pointer: Pointer | None
    can_be_practised: bool


@dataclass(frozen=True)
class Entry:
    """One explanation; its texts are safe HTML."""

    shape: str
    label: str
    is_mine: bool
    said: str
    why: str
    also: str
    pointers: tuple[Pointer, ...]  # to sections that the card has today
    idea: Idea | None
    figure: Figure | None


@dataclass(frozen=True)
class Explained:
    """The judgement in one line, then the entries, the learner's own first."""

    shape: str
    word: str
    reason: str
    entries: tuple[Entry, ...]
    figure: Figure | None

    @property
    def tone(self) -> str:
        """The class that colours the judgement; half right has a shape of its own and no colour."""
        return "open" if self.shape == Shape.PARTLY else self.shape


def explained(question: Question, variant: Variant, answer: Answer | None) -> Explained:
    """Return everything there is to say about an answer. For a learner only once it is final."""
    commentary = comment(question, variant, answer)
    return Explained(
        shape=commentary.shape.value,
        word=commentary.word,
        reason=render_inline(commentary.reason) if commentary.reason else "",
        entries=tuple(_entry(note, question.concept_id) for note in commentary.notes),
        figure=commentary.figure,
    )


@dataclass(frozen=True)
class Judged:
    """A question as it was asked and one answer to it, whoever gave it: all that follows from these alone."""

    key: str  # equal for equal ones, so that their HTML can be kept
    stem: Stem
    marked: Marked
    explained: Explained


def judged_as_asked(snapshot: QuestionSnapshot, variant: Variant, answer: Answer | None) -> Judged:
    """Return what there is to say about an answer to a snapshot: made once in a process for each that anybody gave."""
    return _kept(case_of(snapshot, variant, answer), current().digest)


@lru_cache(maxsize=2000)
def _kept(case: Case, course: str) -> Judged:
    asked = case.question, case.variant
    return Judged(f"{course}-{case.key}", stem(*asked), mark(*asked, case.answer), explained(*asked, case.answer))


def idea(cause: Cause) -> Idea:
    """Return a cause as a page names it."""
    return Idea(
        id=cause.id,
        label=cause.label,
        is_slip=cause.is_slip,
        pointer=pointers.behind(cause),
        can_be_practised=not cause.is_slip and bool(practice_pool.of_idea(cause.id)),
    )


def _entry(note: Note, concept_id: str) -> Entry:
    sections = dict.fromkeys((note.see, note.also.see) if note.also else (note.see,))
    found = (pointers.section(concept_id, section) for section in sections)
    return Entry(
        shape=note.shape.value,
        label=note.label,
        is_mine=note.is_mine,
        said=render_inline(note.said) if note.said else "",
        why=render_block(note.why),
        also=render_block(note.also.why) if note.also else "",
        pointers=tuple(pointer for pointer in found if pointer and pointer.section_id),
        idea=idea(note.cause) if note.cause else None,
        figure=note.figure,
    )
