"""A handed-in sitting, explained: marks, every question with every explanation, and the ideas behind the misses.

What its reader may not see is left out here, so that no page has to remember it.

Built from the snapshots of the sitting, so that later edits of the course change nothing here.
"""

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import repeat

from courseware.statements import Given, Statement
from quizzes import pointers
from quizzes.commentary import Explained, Idea, Judged, idea, judged_as_asked
from quizzes.feedback import Visible
from quizzes.marking import STORED_PLACES, earned, shown
from quizzes.models import ClosedBy, Sitting, Slot
from quizzes.moments import clock, moment
from quizzes.presenting import Stem
from quizzes.questions import Shape


@dataclass(frozen=True)
class ReviewedQuestion:
    """One question with its judgement, as far as its reader may know it."""

    position: int
    concept_title: str
    stem: Stem
    is_flagged: bool
    is_right: bool
    is_open: bool
    word: str  # of the judgement, such as "Not this one."
    shape: str
    mark: str  # empty if it is not shown
    out_of: str
    marks_word: str  # "mark" or "marks"
    explained: Explained | None  # None if it is not shown
    key: str  # equal where all else is, but for the position: what a page says of it is kept by this

    @property
    def tone(self) -> str:
        """The class that colours the judgement; half right has a shape of its own and no colour."""
        return "open" if self.shape == Shape.PARTLY else self.shape

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
    """What the page of a closed sitting shows its reader."""

    sitting: Sitting
    visible: Visible
    mark: str  # empty if it is not shown
    out_of: str
    closed: str  # such as "handed in Tuesday 1 December, 12:43"
    lede: str
    questions: tuple[ReviewedQuestion, ...]  # none if neither marks nor explanations are shown
    concepts: tuple[ConceptShare, ...]
    ideas: tuple[IdeaCount, ...]
    slip_count: int

    @property
    def to_look_at(self) -> tuple[ReviewedQuestion, ...]:
        return tuple(question for question in self.questions if not question.is_right)

    @property
    def flagged(self) -> tuple[ReviewedQuestion, ...]:
        return tuple(question for question in self.questions if question.is_flagged)


_SLOTS: Statement[Slot] = Statement(
    lambda: (
        Slot.objects.filter(sitting=Given("sitting", uuid.UUID))
        .select_related("snapshot", "response")
        .defer("snapshot__body")  # read once in the life of this process, see QuestionSnapshot.question
    )
)


def review_of(sitting: Sitting, visible: Visible) -> Review:
    """Return the review of a closed sitting; `assignment__cohort` should be selected with it.

    Errors:  ValueError if the sitting is still open, since explanations would help to answer it
    """
    if sitting.closed_at is None or sitting.mark is None:
        raise ValueError("an open sitting has no review")
    slots = _SLOTS.rows(sitting=sitting.pk)
    judged = [_judged(slot) for slot in slots]
    shows = visible.marks or visible.explanations
    questions = tuple(map(_reviewed, slots, judged, repeat(visible))) if shows else ()
    # The labels are those of the snapshot; the ids that were stored decide which of them count.
    causes = Counter(
        cause
        for slot, each in zip(slots, judged, strict=True)
        for cause in each.marked.causes
        if visible.explanations and cause.id in slot.response.misconception_ids
    )
    by_server = sitting.closed_by == ClosedBy.DEADLINE
    answered = sum(slot.response.given is not None for slot in slots)
    lede = _lede(questions, visible) if shows else f"{answered} of {len(slots)} questions answered."
    return Review(
        sitting=sitting,
        visible=visible,
        mark=shown(sitting.mark) if visible.marks else "",
        out_of=shown(sitting.out_of),
        closed=("closed by the server " if by_server else "handed in ")
        + moment(sitting.closed_at, sitting.assignment.zone),
        lede=_received(sitting, answered) + (_late(sitting) + _by_hand(sitting, slots) if visible.marks else "") + lede,
        questions=questions,
        concepts=_by_concept(slots) if visible.marks else (),
        ideas=tuple(IdeaCount(idea(cause), count) for cause, count in causes.most_common() if not cause.is_slip),
        slip_count=sum(count for cause, count in causes.items() if cause.is_slip),
    )


def reviewed(slot: Slot, visible: Visible) -> ReviewedQuestion:
    """Return one question whose answer is final, judged as far as its reader may know it."""
    return _reviewed(slot, _judged(slot), visible)


def _judged(slot: Slot) -> Judged:
    return judged_as_asked(slot.snapshot, slot.variant, slot.response.given)


def _reviewed(slot: Slot, judged: Judged, visible: Visible) -> ReviewedQuestion:
    answer, response = slot.response.given, slot.response
    # In an open sitting nothing is marked yet.
    worth = earned([(judged.marked.fraction, slot.marks)]) if response.mark is None else response.mark
    said = judged.explained if visible.explanations else None
    if said:
        word, shape = said.word, said.shape
    elif visible.marks:
        word, shape = _by_mark(worth, slot.marks, is_open=answer is None)
    else:
        word, shape = ("Left open." if answer is None else "Answered."), Shape.OPEN.value
    got, out_of = shown(worth) if visible.marks else "", shown(slot.marks)
    return ReviewedQuestion(
        position=slot.position,
        concept_title=pointers.concept_title(slot.concept_id),
        stem=judged.stem,
        is_flagged=slot.flagged,
        is_right=worth == slot.marks,
        is_open=answer is None,
        word=word,
        shape=shape,
        mark=got,
        out_of=out_of,
        marks_word="mark" if slot.marks == 1 else "marks",
        explained=said,
        key="-".join((judged.key, str(said is not None), shape, word, got, out_of, str(slot.flagged))),
    )


def _by_mark(worth: Decimal, marks: Decimal, *, is_open: bool) -> tuple[str, str]:
    if is_open:
        return "Left open.", Shape.OPEN.value
    if worth == marks:
        return "Right.", Shape.RIGHT.value
    return ("Right in part.", Shape.PARTLY.value) if worth else ("Not right.", Shape.WRONG.value)


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


def _received(sitting: Sitting, answered: int) -> str:
    """Return what a learner must know who was not there when time was up."""
    if sitting.closed_by != ClosedBy.DEADLINE or sitting.closed_at is None:
        return ""
    words = f"The {_answers(answered)} saved by then {'was' if answered == 1 else 'were'} handed in."
    return f"Time was up at {clock(sitting.closed_at, sitting.assignment.zone)}. {words} "


def _by_hand(sitting: Sitting, slots: Sequence[Slot]) -> str:
    """Return that the mark was changed by hand, and why, where it is not what its answers add up to."""
    assert sitting.mark is not None
    answers = sum((slot.response.mark or Decimal(0) for slot in slots), Decimal(0)) - sitting.taken_off
    if abs(answers - sitting.mark) <= len(slots) * STORED_PLACES:  # each answer's mark was rounded by itself
        return ""
    latest = sitting.overrides.first()
    return f"The mark was changed by hand, from {shown(latest.before)}: “{latest.reason}” " if latest else ""


def _late(sitting: Sitting) -> str:
    if not sitting.days_late:
        return ""
    days = f"{sitting.days_late} {'day' if sitting.days_late == 1 else 'days'}"
    return f"The last answer came {days} late, for which {shown(sitting.taken_off)} marks are taken off. "


def _lede(questions: Sequence[ReviewedQuestion], visible: Visible) -> str:
    left_open = sum(question.is_open for question in questions)
    right = sum(question.is_right for question in questions)
    missed = sum(question.shape == Shape.WRONG for question in questions)
    partly = len(questions) - left_open - missed - right
    parts = []
    if missed:
        parts.append(f"{_answers(missed)} missed")
    if partly:
        parts.append(f"{_answers(partly)} right in part")
    if left_open:
        parts.append(f"{left_open} {'question' if left_open == 1 else 'questions'} left open")
    if not parts:
        return "Every answer is right." + (" Each option is explained all the same." if visible.explanations else "")
    listed = parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
    explained_below = " Every option is explained below, yours first." if visible.explanations else ""
    return f"{listed[0].upper()}{listed[1:]}.{explained_below}"


def _answers(count: int) -> str:
    return f"{count} {'answer' if count == 1 else 'answers'}"
