"""A handed-in sitting, explained: marks, every question with every explanation, and the ideas behind the misses.

What its reader may not see is left out here, so that no page has to remember it.

Built from the snapshots of the sitting, so that later edits of the course change nothing here.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from quizzes import pointers
from quizzes.commentary import Idea, idea
from quizzes.feedback import Visible
from quizzes.judged_questions import ReviewedQuestion, Stored, reviewed, stored_of
from quizzes.marking import STORED_PLACES, shown
from quizzes.models import ClosedBy, Sitting
from quizzes.moments import clock, moment
from quizzes.questions import Shape


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

    @cached_property
    def to_look_at(self) -> tuple[ReviewedQuestion, ...]:
        return tuple(question for question in self.questions if not question.is_right)

    @cached_property
    def flagged(self) -> tuple[ReviewedQuestion, ...]:
        return tuple(question for question in self.questions if question.is_flagged)


def review_of(sitting: Sitting, visible: Visible) -> Review:
    """Return the review of a closed sitting; `assignment__cohort` should be selected with it.

    Errors:  ValueError if the sitting is still open, since explanations would help to answer it
    """
    if sitting.closed_at is None or sitting.mark is None:
        raise ValueError("an open sitting has no review")
    stored = stored_of(sitting.pk)
    shows = visible.marks or visible.explanations
    questions = reviewed(stored, visible) if shows else ()
    causes = Counter(cause for question in questions for cause in question.causes)
    by_server = sitting.closed_by == ClosedBy.DEADLINE
    answered = sum(not each.is_open for each in stored)
    lede = _lede(questions, visible) if shows else f"{answered} of {len(stored)} questions answered."
    return Review(
        sitting=sitting,
        visible=visible,
        mark=shown(sitting.mark) if visible.marks else "",
        out_of=shown(sitting.out_of),
        closed=("closed by the server " if by_server else "handed in ")
        + moment(sitting.closed_at, sitting.assignment.zone),
        lede=_received(sitting, answered)
        + (_late(sitting) + _by_hand(sitting, stored) if visible.marks else "")
        + lede,
        questions=questions,
        concepts=_by_concept(stored) if visible.marks else (),
        ideas=tuple(IdeaCount(idea(cause), count) for cause, count in causes.most_common() if not cause.is_slip),
        slip_count=sum(count for cause, count in causes.items() if cause.is_slip),
    )


def _by_concept(stored: Iterable[Stored]) -> tuple[ConceptShare, ...]:
    shares: dict[str, list[Stored]] = {}
    for each in stored:
        shares.setdefault(each.concept_id, []).append(each)
    return tuple(_share(concept_id, parts) for concept_id, parts in shares.items())


def _share(concept_id: str, parts: Iterable[Stored]) -> ConceptShare:
    got, out_of = _marks_of(parts), sum((each.marks for each in parts), Decimal(0))
    return ConceptShare(
        title=pointers.concept_title(concept_id), mark=shown(got), out_of=shown(out_of), percent=int(100 * got / out_of)
    )


def _marks_of(stored: Iterable[Stored]) -> Decimal:
    return sum((each.mark or Decimal(0) for each in stored), Decimal(0))


def _received(sitting: Sitting, answered: int) -> str:
    """Return what a learner must know who was not there when time was up."""
    if sitting.closed_by != ClosedBy.DEADLINE or sitting.closed_at is None:
        return ""
    words = f"The {_answers(answered)} saved by then {'was' if answered == 1 else 'were'} handed in."
    return f"Time was up at {clock(sitting.closed_at, sitting.assignment.zone)}. {words} "


def _by_hand(sitting: Sitting, stored: Sequence[Stored]) -> str:
    """Return that the mark was changed by hand, and why, where it is not what its answers add up to."""
    assert sitting.mark is not None
    answers = _marks_of(stored) - sitting.taken_off
    if abs(answers - sitting.mark) <= len(stored) * STORED_PLACES:  # each answer's mark was rounded by itself
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
