"""How a cohort stands: learners by concept, test and exercise. Reads what the other parts wrote; owns no table.

The number of queries does not grow with the number of learners.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from courseware.accounts.models import Cohort, Enrolment, EnrolmentQuerySet
from courseware.concepts.course import current
from courseware.concepts.modules import Concept
from courseware.statements import Given, Statement
from courseware.study.models import Depth, Reading
from grader.catalogue import current_exercises
from grader.exercises import Exercise
from grader.standings import NOT_BEGUN, Standing, standings_in
from quizzes.counting import counting
from quizzes.models import Assignment, SelfCheckPick, Sitting

DEPTH_WORDS = {Depth.FIVE: "5 lines", Depth.FIFTEEN: "15 lines", Depth.DEEP: "deep dive"}
_DEPTHS = tuple(DEPTH_WORDS)


@dataclass(frozen=True)
class CardCell:
    """One learner and one card."""

    deepest: str  # "" where it was never opened
    self_check: bool | None  # None where it was not answered

    @property
    def words(self) -> str:
        return DEPTH_WORDS[Depth(self.deepest)] if self.deepest else ""


@dataclass(frozen=True)
class SittingCell:
    """One learner and one test: the sitting that counts, or else the one that is open."""

    sitting: Sitting | None


@dataclass(frozen=True)
class LearnerRow:
    enrolment: Enrolment
    cards: tuple[CardCell, ...]
    sittings: tuple[SittingCell, ...]
    exercises: tuple[Standing, ...]


@dataclass(frozen=True)
class CohortStanding:
    """A table: one column per written concept, per test and per exercise; one row per learner."""

    cohort: Cohort
    concepts: tuple[Concept, ...]
    assignments: tuple[Assignment, ...]
    exercises: tuple[Exercise, ...]
    rows: tuple[LearnerRow, ...]

    @property
    def finding(self) -> str:
        """The page's one sentence: how many are done with the latest test, or how many there are."""
        active = [row for row in self.rows if row.enrolment.withdrawn_at is None]
        if not active:
            return "Nobody learns here yet"
        if not self.assignments:
            return f"{len(active)} {'learner' if len(active) == 1 else 'learners'}, and no test yet"
        handed_in = sum(cell.is_closed for row in active if (cell := row.sittings[-1].sitting) is not None)
        return f"{handed_in} of {len(active)} have handed in: {self.assignments[-1].title}"

    @property
    def needs_a_look(self) -> tuple[str, ...]:
        """What an instructor would ask next, each as a sentence; only what is the case."""
        active = [row for row in self.rows if row.enrolment.withdrawn_at is None]
        unopened = sum(not any(card.deepest for card in row.cards) for row in active)
        missed = sum(any(card.self_check is False for card in row.cards) for row in active)
        struggling = sum(
            any(each.submits and not each.is_right and not each.is_live for each in row.exercises) for row in active
        )
        found = (
            (unopened, "opened no card so far"),
            (missed, "picked a wrong option in a self-check"),
            (struggling, "submitted code that does not pass yet"),
        )
        return tuple(f"{count} {words}." for count, words in found if count)


def _learners() -> EnrolmentQuerySet:
    return Enrolment.objects.learners().filter(cohort=Given("cohort", int))


_LEARNERS: Statement[Enrolment] = Statement(
    lambda: _learners().select_related("user").order_by("withdrawn_at", "user__name", "user__email")
)
_ASSIGNMENTS: Statement[Assignment] = Statement(
    lambda: Assignment.objects.filter(cohort=Given("cohort", int)).order_by("created_at")
)
_SITTINGS: Statement[Sitting] = Statement(lambda: Sitting.objects.filter(assignment__cohort=Given("cohort", int)))
_READINGS: Statement[tuple[int, str, str]] = Statement(
    lambda: Reading.objects.filter(user__in=_learners().values("user")).values_list("user", "concept", "depth")
)
_PICKS: Statement[tuple[int, str, bool]] = Statement(
    lambda: SelfCheckPick.objects.filter(user__in=_learners().values("user")).values_list(
        "user", "concept_id", "is_right"
    )
)


def standing_of(cohort: Cohort) -> CohortStanding:
    """Return how every learner of a cohort stands, by name; withdrawn learners keep their rows, at the end."""
    enrolments = _LEARNERS.rows(cohort=cohort.pk)
    enrolments.sort(key=lambda each: each.withdrawn_at is not None)  # databases disagree on where nulls go
    concepts = tuple(each for each in current().module.concepts if each.card is not None)
    assignments = tuple(_ASSIGNMENTS.rows(cohort=cohort.pk))
    exercises = tuple(current_exercises().values())
    cards = _cards(cohort)
    attempts: dict[tuple[int, int], list[Sitting]] = defaultdict(list)
    for sitting in _SITTINGS.rows(cohort=cohort.pk):
        attempts[sitting.enrolment_id, sitting.assignment_id].append(sitting)
    standing = standings_in(cohort)
    rows = tuple(
        LearnerRow(
            enrolment=each,
            cards=tuple(cards[each.user_id, concept.id] for concept in concepts),
            sittings=tuple(_sitting(assignment, attempts[each.pk, assignment.pk]) for assignment in assignments),
            exercises=tuple(standing.get((each.user_id, exercise.slug), NOT_BEGUN) for exercise in exercises),
        )
        for each in enrolments
    )
    return CohortStanding(cohort, concepts, assignments, exercises, rows)


def _sitting(assignment: Assignment, attempts: list[Sitting]) -> SittingCell:
    return SittingCell(counting(assignment.counts, attempts) or next(iter(attempts), None))


def _cards(cohort: Cohort) -> Mapping[tuple[int, str], CardCell]:
    depths: dict[tuple[int, str], set[str]] = defaultdict(set)
    for user, concept, depth in _READINGS.rows(cohort=cohort.pk):
        depths[user, concept].add(depth)
    picks = {(user, concept): is_right for user, concept, is_right in _PICKS.rows(cohort=cohort.pk)}
    cells: dict[tuple[int, str], CardCell] = defaultdict(lambda: CardCell("", None))
    for key in depths.keys() | picks.keys():
        deepest = next((depth for depth in reversed(_DEPTHS) if depth in depths.get(key, set())), "")
        cells[key] = CardCell(deepest, picks.get(key))
    return cells
