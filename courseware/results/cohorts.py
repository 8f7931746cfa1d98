"""How a cohort stands: learners by test, exercise, practice and card. Reads what the other parts wrote.

Everybody's marks are there, since sorting, medians and the sentence on top need them; of cards and practice only what
is shown is read. The number of queries does not grow with the number of learners.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import repeat

from django.db.models import Case, Count, Exists, OuterRef, Q, Value, When

from courseware.accounts.models import Cohort
from courseware.concepts.course import current
from courseware.concepts.modules import Concept
from courseware.results.marks import Figures, Kept, Marks, kept_marks
from courseware.results.people import OfPeople, Person, learners, people_of
from courseware.statements import Given, Statement
from courseware.study.models import Depth, Reading
from grader.catalogue import current_exercises
from grader.exercises import Exercise
from quizzes.models import Assignment, PracticeAnswer, SelfCheckPick

DEPTH_WORDS = {Depth.FIVE: "5 lines", Depth.FIFTEEN: "15 lines", Depth.DEEP: "deep dive"}
_DEPTHS = ("", *DEPTH_WORDS)


@dataclass(frozen=True, eq=False)  # there is one of each kind, so that a row of them is compared at a glance
class CardCell:
    """One learner and one card, as `card_cell` makes it."""

    deepest: str  # "" where it was never opened
    self_check: bool | None  # None where it was not answered

    @property
    def words(self) -> str:
        return DEPTH_WORDS[Depth(self.deepest)] if self.deepest else ""


@cache
def card_cell(deepest: str, self_check: bool | None) -> CardCell:
    return CardCell(deepest, self_check)


NO_CARD = card_cell("", None)


@dataclass(frozen=True)
class LearnerRow:
    """One learner with everything that a line of a list shows."""

    person: Person
    marks: Marks
    cards: tuple[CardCell, ...]
    practised: int
    practised_right: int

    @property
    def remarks(self) -> tuple[str, ...]:
        """What an instructor would look at; of somebody who left, nothing."""
        return self.marks.looks if self.person.is_active else ()


@dataclass(frozen=True)
class CohortStanding:
    """A table: one column per written concept, per test and per exercise; one row per learner."""

    cohort: Cohort
    concepts: tuple[Concept, ...]
    assignments: tuple[Assignment, ...]
    exercises: tuple[Exercise, ...]
    people: tuple[Person, ...]
    kept: Kept

    @property
    def marks(self) -> Mapping[int, Marks]:
        """Everybody's, by enrolment."""
        return self.kept.marks

    @property
    def figures(self) -> Figures:
        return self.kept.figures

    def of(self, person: Person) -> Marks:
        return self.kept.marks[person.enrolment]

    @property
    def active(self) -> list[Person]:
        return [each for each in self.people if each.is_active]

    @property
    def has_grade(self) -> bool:
        return current().module.grade is not None

    @property
    def finding(self) -> str:
        """The page's one sentence: how many are done with the latest test, or how many there are."""
        active = self.figures.active
        if not active:
            return "Nobody learns here yet"
        if not self.assignments:
            return f"{active} {'learner' if active == 1 else 'learners'}, and no test yet"
        return f"{self.figures.handed_in} of {active} have handed in: {self.assignments[-1].title}"

    @cached_property
    def needs_a_look(self) -> tuple[str, ...]:
        """What an instructor would ask next, each as a sentence; only what is the case."""
        unopened, missed = _READ.first(cohort=self.cohort.pk) or (0, 0)
        found = (
            (unopened, "opened no card so far"),
            (missed, "picked a wrong option in a self-check"),
            (self.figures.struggling, "submitted code that does not pass yet"),
        )
        return tuple(f"{count} {words}." for count, words in found if count)


_ASSIGNMENTS: Statement[Assignment] = Statement(
    lambda: Assignment.objects.filter(cohort=Given("cohort", int)).order_by("created_at")
)
_READ: Statement[tuple[int, int]] = Statement(
    lambda: (
        learners()
        .filter(withdrawn_at=None)
        .order_by()
        .values("cohort")
        .annotate(
            unopened=Count("pk", filter=~Exists(Reading.objects.filter(user=OuterRef("user")))),
            missed=Count("pk", filter=Exists(SelfCheckPick.objects.filter(user=OuterRef("user"), is_right=False))),
        )
        .values_list("unopened", "missed")
    )
)
_DONE: OfPeople[tuple[int, str, str, int, int]] = OfPeople(
    lambda users: (
        Reading.objects.filter(user__id__in=users)
        .order_by()
        .values_list("user", "concept", "depth", Value(0), Value(0))
        .union(
            SelfCheckPick.objects.filter(user__id__in=users)
            .order_by()
            .values_list("user", "concept_id", Value(""), Value(1), Case(When(is_right=True, then=1), default=0)),
            PracticeAnswer.objects.filter(user__id__in=users)
            .order_by()
            .values("user")
            .annotate(count=Count("pk"), right=Count("question_id", filter=Q(fraction=1), distinct=True))
            .values_list("user", Value(""), Value(""), "count", "right"),
            all=True,
        )
    )
)


def standing_of(cohort: Cohort) -> CohortStanding:
    """Return how the learners of a cohort stand in tests and exercises."""
    people, assignments = people_of(cohort), tuple(_ASSIGNMENTS.rows(cohort=cohort.pk))
    exercises = tuple(current_exercises().values())
    concepts = tuple(each for each in current().module.concepts if each.card is not None)
    kept = kept_marks(cohort, people, assignments, exercises)
    return CohortStanding(cohort, concepts, assignments, exercises, people, kept)


def rows_of(standing: CohortStanding, people: Sequence[Person]) -> tuple[LearnerRow, ...]:
    """Return these people with their marks, and with what they read, picked and practised."""
    users = [each.user for each in people]
    cells: dict[int, dict[str, CardCell]] = defaultdict(dict)
    practised: dict[int, tuple[int, int]] = {}  # answers in practice, and different questions that were right
    for user, concept, depth, count, right in _DONE.rows(standing.cohort, users, of=len(standing.people)):
        cell = cells[user].get(concept, NO_CARD)
        if not concept:
            practised[user] = count, right
        elif depth:
            cells[user][concept] = card_cell(max(cell.deepest, depth, key=_DEPTHS.index), cell.self_check)
        else:
            cells[user][concept] = card_cell(cell.deepest, bool(right))
    ids = [concept.id for concept in standing.concepts]
    return tuple(
        LearnerRow(
            each,
            standing.of(each),
            tuple(map(cells[each.user].get, ids, repeat(NO_CARD))),
            *practised.get(each.user, (0, 0)),
        )
        for each in people
    )
