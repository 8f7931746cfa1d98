"""Where somebody stands: what the home page and the module page compose from cards, questions and exercises."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse

from courseware.accounts.models import User
from courseware.concepts.course import current
from courseware.concepts.modules import Concept, Module
from courseware.statements import Given, Statement
from courseware.study.models import Depth
from courseware.study.readings import depths_read
from grader.catalogue import current_exercises
from grader.exercises import Exercise
from grader.standings import NOT_BEGUN
from grader.standings import standings_of as exercise_standings
from quizzes.marking import shown
from quizzes.models import SelfCheckPick
from quizzes.progress import Standing as TestStanding
from quizzes.progress import standings as test_standings

DEPTH_WORDS = {Depth.FIVE: "five lines", Depth.FIFTEEN: "fifteen lines", Depth.DEEP: "deep dive"}
CARD_PAGES = {Depth.FIVE: "card", Depth.FIFTEEN: "card_fifteen", Depth.DEEP: "card_deep"}
_PICKS: Statement[tuple[str, bool]] = Statement(
    lambda: SelfCheckPick.objects.filter(user=Given("user", int)).values_list("concept_id", "is_right")
)
_ORDER = (Depth.FIVE, Depth.FIFTEEN, Depth.DEEP)


@dataclass(frozen=True)
class Standing:
    """A state in three ways: shape, words, and the class that colours it."""

    shape: str
    words: str


@dataclass(frozen=True)
class ConceptRow:
    concept: Concept
    standing: Standing | None

    @property
    def id(self) -> str:
        return self.concept.id


@dataclass(frozen=True)
class ExerciseRow:
    exercise: Exercise
    standing: Standing | None

    @property
    def id(self) -> str:
        return self.exercise.slug


@dataclass(frozen=True)
class Continue:
    """The one thing to do next, and why it is that."""

    url: str
    label: str
    words: str
    is_first: bool = False  # nothing was begun before


@dataclass(frozen=True)
class Overview:
    module: Module
    rows: tuple[ConceptRow, ...]
    written: int
    read: int
    checks_right: int
    tests: tuple[TestStanding, ...]
    exercises: tuple[ExerciseRow, ...]
    next: Continue


def overview_of(user: User) -> Overview:
    """Return where this person stands in the module."""
    module = current().module
    depths, latest = depths_read(user)
    picks = dict(_PICKS.rows(user=user.pk))
    tests = test_standings(user)
    return Overview(
        module=module,
        rows=tuple(ConceptRow(each, _standing(each, depths, picks)) for each in module.concepts),
        written=sum(each.card is not None for each in module.concepts),
        read=sum(each.id in depths for each in module.concepts),
        checks_right=sum(picks.get(each.id, False) for each in module.concepts),
        tests=tests,
        exercises=_exercises_of(user),
        next=_next(module, tests, latest, depths, picks),
    )


def _standing(concept: Concept, depths: Mapping[str, set[str]], picks: Mapping[str, bool]) -> Standing | None:
    if concept.card is None:
        return Standing("open", "In preparation")
    if concept.id in picks:
        return Standing("right", "Self-check right") if picks[concept.id] else Standing("heed", "Self-check: not yet")
    deepest = _deepest(depths.get(concept.id, set()))
    return Standing("begun", f"{DEPTH_WORDS[deepest].capitalize()} read") if deepest else None


def _deepest(depths: set[str]) -> Depth | None:
    return next((depth for depth in reversed(_ORDER) if depth in depths), None)


def _exercises_of(user: User) -> tuple[ExerciseRow, ...]:
    standings = exercise_standings(user)
    rows = []
    for exercise in current_exercises().values():
        standing = standings.get(exercise.slug, NOT_BEGUN)
        words = None
        if standing.is_live:
            words = Standing("clock", "Being graded")
        elif standing.best_mark is not None:
            shape = "right" if standing.is_right else "heed"
            words = Standing(shape, f"{shown(standing.best_mark)} of {shown(exercise.marks)} marks")
        rows.append(ExerciseRow(exercise, words))
    return tuple(rows)


def _next(
    module: Module,
    tests: tuple[TestStanding, ...],
    latest: str,
    depths: Mapping[str, set[str]],
    picks: Mapping[str, bool],
) -> Continue:
    """Return what to go on with: an open test first, since time may run there; else the card last read."""
    for test in tests:
        if test.may_continue:
            url = reverse("assignment", args=[test.assignment.pk])
            return Continue(url, f"Continue: {test.assignment.title}", "You have a test open. What you saved is kept.")
    concept = current().concept(latest)
    if concept is None or concept.card is None:
        first = next((each for each in module.concepts if each.card is not None), None)
        if first is None:
            return Continue(reverse("module", args=[module.id]), "See the module", "Its cards are in preparation.")
        url = reverse("card", args=[first.id])
        label = f"Start: {first.number}, {first.title}"
        return Continue(url, label, "Five lines and one question, half a minute.", is_first=True)
    unread = next((depth for depth in _ORDER if depth not in depths[concept.id]), None)
    label = f"Continue: {concept.number}, {concept.title}"
    if unread is None and concept.id not in picks:
        url = reverse("card", args=[concept.id]) + "#check"
        return Continue(url, label, "You have read it all. One question is left.")
    if unread is None:
        return Continue(reverse("card_deep", args=[concept.id]), label, "You have read it all; look things up again.")
    url = reverse(CARD_PAGES[unread], args=[concept.id])
    return Continue(url, label, f"The {DEPTH_WORDS[unread]} {'is' if unread == Depth.DEEP else 'are'} next.")
