"""What somebody can practise, how far they have come in it, and what comes next: by concept and by misconception."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from courseware.accounts.models import User
from courseware.concepts.course import current
from courseware.concepts.modules import Concept
from courseware.statements import Given, Statement
from quizzes import practice_pool
from quizzes.accommodations import NO_EXTRAS, extras_of
from quizzes.commentary import Idea, idea
from quizzes.feedback import policy, waits_for_closing
from quizzes.models import PracticeAnswer, Response, SelfCheckPick, Sitting
from quizzes.practice import variant_for
from quizzes.presenting import Stem, stem
from quizzes.questions import Cause, Question


@dataclass(frozen=True)
class Tally:
    """How one learner has answered one question so far."""

    answers: int
    right: int
    was_right: bool  # the last time
    last_at: datetime


@dataclass(frozen=True)
class PractisedQuestion:
    """One question in a list, and how it went."""

    question: Question
    stem: Stem
    tally: Tally | None

    @property
    def shape(self) -> str:
        return "open" if self.tally is None else "right" if self.tally.was_right else "heed"

    @property
    def words(self) -> str:
        if self.tally is None:
            return "Not answered"
        if self.tally.answers == 1:
            return "Right" if self.tally.was_right else "Not right yet"
        latest = "right" if self.tally.was_right else "not right"
        return f"{self.tally.right} of {self.tally.answers} right, the last one {latest}"


@dataclass(frozen=True)
class Progress:
    """How far somebody has come in some questions."""

    answered: int
    count: int


@dataclass(frozen=True)
class Practice:
    """The practice of one concept or one misconception, with what comes next in it."""

    concept: Concept | None
    idea: Idea | None
    questions: tuple[PractisedQuestion, ...]
    next: Question | None  # None if there is nothing to practise

    @property
    def title(self) -> str:
        """Plain text."""
        return self.idea.label if self.idea else self.concept.title if self.concept else ""

    @property
    def progress(self) -> Progress:
        return Progress(sum(each.tally is not None for each in self.questions), len(self.questions))


@dataclass(frozen=True)
class ConceptLine:
    """One concept in the overview of all practice."""

    concept: Concept
    progress: Progress


@dataclass(frozen=True)
class IdeaLine:
    """One misconception that the learner was told of, in the overview of all practice."""

    idea: Idea
    progress: Progress


@dataclass(frozen=True)
class Overview:
    """All that a learner can practise."""

    concepts: tuple[ConceptLine, ...]
    ideas: tuple[IdeaLine, ...]  # what came up most often first

    @property
    def progress(self) -> Progress:
        return Progress(
            sum(line.progress.answered for line in self.concepts), sum(line.progress.count for line in self.concepts)
        )


_ANSWERED: Statement[tuple[str, list[str]]] = Statement(
    lambda: (
        PracticeAnswer.objects.filter(user=Given("user", int))
        .order_by()
        .values_list("question_id", "misconception_ids")
    )
)
_ANSWERED_IN: Statement[str] = Statement(
    lambda: (
        PracticeAnswer.objects.filter(user=Given("user", int), concept_id=Given("concept", str))
        .order_by()
        .values_list("question_id", flat=True)
        .distinct()
    )
)
_PICKED: Statement[list[str]] = Statement(
    lambda: (
        SelfCheckPick.objects.filter(user=Given("user", int))
        .exclude(misconception_ids=[])
        .values_list("misconception_ids", flat=True)
    )
)
_CLOSED: Statement[Sitting] = Statement(
    lambda: Sitting.objects.of(Given("user", int)).closed().select_related("assignment__cohort")
)
_SHOWN: Statement[tuple[uuid.UUID, list[str]]] = Statement(
    lambda: (
        Response.objects.filter(
            slot__sitting__enrolment__user=Given("user", int), slot__sitting__closed_at__isnull=False
        )
        .exclude(misconception_ids=[])
        .order_by()
        .values_list("slot__sitting", "misconception_ids")
    )
)


def of_concept(user: User, concept_id: str) -> Practice | None:
    """Return a learner's practice of a concept, None if the course has no such concept."""
    concept = current().concept(concept_id)
    if concept is None:
        return None
    return _practice(user, practice_pool.of_concept(concept_id), concept=concept)


def of_idea(user: User, misconception_id: str) -> Practice | None:
    """Return a learner's practice of a misconception, None if the course has no such misconception."""
    if misconception_id not in current().misconceptions:
        return None
    return _practice(user, practice_pool.of_idea(misconception_id), idea=_named(misconception_id))


def overview_of(user: User) -> Overview:
    """Return what this learner can practise: every concept's pool, and the ideas that they were told they hold."""
    rows = _ANSWERED.rows(user=user.pk)
    answered = {question_id for question_id, _ in rows}
    held = _held_elsewhere(user)
    held.update(each for _, ids in rows for each in ids)
    concepts = (ConceptLine(each, _progress(practice_pool.of_concept(each.id), answered)) for each in _concepts())
    known = current().misconceptions
    ideas = (
        IdeaLine(_named(each), _progress(practice_pool.of_idea(each), answered))
        for each, _ in held.most_common()
        if each in known
    )
    return Overview(
        concepts=tuple(line for line in concepts if line.progress.count),
        ideas=tuple(line for line in ideas if line.progress.count),
    )


def progress_in(user: User, concept_id: str) -> Progress:
    """Return how far a learner has come in a concept's practice questions."""
    pool = practice_pool.of_concept(concept_id)
    if not pool:
        return Progress(0, 0)
    return _progress(pool, set(_ANSWERED_IN.rows(user=user.pk, concept=concept_id)))


def _held_elsewhere(user: User) -> Counter[str]:
    """Return how often each misconception showed in self-checks, and in tests as far as those are explained by now."""
    held = Counter[str]()
    for ids in _PICKED.rows(user=user.pk):
        held.update(ids)
    shown = _SHOWN.rows(user=user.pk)
    closed, now = _CLOSED.rows(user=user.pk) if shown else [], timezone.now()
    given = extras_of(user.pk) if any(waits_for_closing(each.assignment) for each in closed) else NO_EXTRAS
    explained = {
        each.pk
        for each in closed
        if policy(each.assignment, given.limits(each.assignment, each.enrolment_id)).visible(each, now).explanations
    }
    for sitting_id, ids in shown:
        if sitting_id in explained:
            held.update(ids)
    return held


def _concepts() -> Sequence[Concept]:
    return current().module.concepts


def _named(misconception_id: str) -> Idea:
    known = current().misconceptions[misconception_id]
    return idea(Cause(id=known.id, label=known.label))


def _progress(pool: Sequence[Question], answered: set[str]) -> Progress:
    return Progress(sum(question.id in answered for question in pool) if answered else 0, len(pool))


def _practice(
    user: User, questions: Sequence[Question], *, concept: Concept | None = None, idea: Idea | None = None
) -> Practice:
    tallies = _tallies(user, questions)
    return Practice(
        concept=concept,
        idea=idea,
        questions=tuple(
            PractisedQuestion(each, stem(each, variant_for(user, each, number=1)), tallies.get(each.id))
            for each in questions
        ),
        next=_next(questions, tallies),
    )


def _tallies(user: User, questions: Sequence[Question]) -> Mapping[str, Tally]:
    ids = [question.id for question in questions]
    rows = PracticeAnswer.objects.filter(user=user, question_id__in=ids).order_by("number")
    tallies: dict[str, Tally] = {}
    for question_id, fraction, at in rows.values_list("question_id", "fraction", "at"):
        so_far = tallies.get(question_id)
        is_right = fraction == 1
        tallies[question_id] = Tally(
            answers=1 + (so_far.answers if so_far else 0),
            right=is_right + (so_far.right if so_far else 0),
            was_right=is_right,
            last_at=at,
        )
    return tallies


def _next(questions: Sequence[Question], tallies: Mapping[str, Tally]) -> Question | None:
    """Return what to go on with: what is new, then what went wrong last, then what was answered least.

    The question that was answered a moment ago comes last, so that nothing comes twice in a row.
    """
    latest = max((each.last_at for each in tallies.values()), default=None)

    def rank(question: Question) -> tuple[bool, bool, bool, int]:
        tally = tallies.get(question.id)
        if tally is None:
            return False, False, False, 0
        return tally.last_at == latest, True, tally.was_right, tally.answers

    return min(questions, key=rank, default=None)
