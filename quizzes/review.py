"""A handed-in sitting, explained: marks, every question with every explanation, and the ideas behind the misses.

Built from the snapshots of the sitting, so that later edits of the course change nothing here.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from quizzes import pointers
from quizzes.commentary import Explained, Idea, explained, idea
from quizzes.marking import earned, mark, shown
from quizzes.models import ClosedBy, Sitting, Slot
from quizzes.moments import clock, moment
from quizzes.presenting import Stem, stem
from quizzes.questions import Cause


@dataclass(frozen=True)
class ReviewedQuestion:
    position: int
    concept_title: str
    stem: Stem
    is_flagged: bool
    is_right: bool
    is_open: bool
    mark: str
    out_of: str
    marks_word: str  # "mark" or "marks"
    explained: Explained

    @property
    def anchor(self) -> str:
        return f"q{self.position}"


@dataclass(frozen=True)
class ConceptShare:
    title: str
    mark: str
    out_of: str
    percent: int  # of the bar


@dataclass(frozen=True)
class IdeaCount:
    idea: Idea
    count: int


@dataclass(frozen=True)
class Review:
    """What the page of a closed sitting shows."""

    sitting: Sitting
    mark: str
    out_of: str
    closed: str  # such as "handed in Tuesday 1 December, 12:43"
    lede: str
    questions: tuple[ReviewedQuestion, ...]
    concepts: tuple[ConceptShare, ...]
    ideas: tuple[IdeaCount, ...]
    slip_count: int

    @property
    def to_look_at(self) -> tuple[ReviewedQuestion, ...]:
        return tuple(question for question in self.questions if not question.is_right)

    @property
    def flagged(self) -> tuple[ReviewedQuestion, ...]:
        return tuple(question for question in self.questions if question.is_flagged)


def review_of(sitting: Sitting) -> Review:
    """Return the review of a closed sitting; `assignment__cohort` should be selected with it.

    Errors:  ValueError if the sitting is still open, since explanations would help to answer it
    """
    if sitting.closed_at is None or sitting.mark is None:
        raise ValueError("an open sitting has no review")
    slots = list(sitting.slots.select_related("snapshot", "response"))
    questions = tuple(_reviewed(slot) for slot in slots)
    causes = Counter(cause for slot in slots for cause in _causes(slot))
    zone = sitting.assignment.zone
    by_server = sitting.closed_by == ClosedBy.DEADLINE
    answered = sum(not question.is_open for question in questions)
    return Review(
        sitting=sitting,
        mark=shown(sitting.mark),
        out_of=shown(sitting.out_of),
        closed=("closed by the server " if by_server else "handed in ") + moment(sitting.closed_at, zone),
        lede=(
            f"Time was up at {clock(sitting.closed_at, zone)}. The {_answers(answered)} saved by then "
            f"{'was' if answered == 1 else 'were'} handed in. "
            if by_server
            else ""
        )
        + _lede(questions),
        questions=questions,
        concepts=_by_concept(slots),
        ideas=tuple(IdeaCount(idea(cause), count) for cause, count in causes.most_common() if not cause.is_slip),
        slip_count=sum(count for cause, count in causes.items() if cause.is_slip),
    )


def _reviewed(slot: Slot) -> ReviewedQuestion:
    question, answer = slot.snapshot.question(), slot.response.given
    assert slot.response.mark is not None
    return ReviewedQuestion(
        position=slot.position,
        concept_title=pointers.concept_title(slot.concept_id),
        stem=stem(question, slot.variant),
        is_flagged=slot.flagged,
        is_right=slot.response.mark == slot.marks,
        is_open=answer is None,
        mark=shown(slot.response.mark),
        out_of=shown(slot.marks),
        marks_word="mark" if slot.marks == 1 else "marks",
        explained=explained(question, slot.variant, answer),
    )


def _causes(slot: Slot) -> tuple[Cause, ...]:
    # The labels are those of the snapshot; the ids that were stored decide which of them count.
    marked = mark(slot.snapshot.question(), slot.variant, slot.response.given)
    return tuple(cause for cause in marked.causes if cause.id in slot.response.misconception_ids)


def _by_concept(slots: Sequence[Slot]) -> tuple[ConceptShare, ...]:
    shares: dict[str, list[tuple[Decimal, Decimal]]] = {}
    for slot in slots:
        assert slot.response.mark is not None
        shares.setdefault(slot.concept_id, []).append((slot.response.mark, slot.marks))
    return tuple(_share(concept_id, parts) for concept_id, parts in shares.items())


def _share(concept_id: str, parts: Sequence[tuple[Decimal, Decimal]]) -> ConceptShare:
    got = earned((Fraction(1), mark) for mark, _ in parts)
    out_of = earned((Fraction(1), marks) for _, marks in parts)
    return ConceptShare(
        title=pointers.concept_title(concept_id), mark=shown(got), out_of=shown(out_of), percent=int(100 * got / out_of)
    )


def _lede(questions: Sequence[ReviewedQuestion]) -> str:
    left_open = sum(question.is_open for question in questions)
    missed = sum(question.mark == "0" and not question.is_open for question in questions)
    partly = len(questions) - left_open - missed - sum(question.is_right for question in questions)
    parts = []
    if missed:
        parts.append(f"{_answers(missed)} missed")
    if partly:
        parts.append(f"{_answers(partly)} right in part")
    if left_open:
        parts.append(f"{left_open} {'question' if left_open == 1 else 'questions'} left open")
    if not parts:
        return "Every answer is right. Each option is explained all the same."
    listed = parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
    return f"{listed[0].upper()}{listed[1:]}. Every option is explained below, yours first."


def _answers(count: int) -> str:
    return f"{count} {'answer' if count == 1 else 'answers'}"
