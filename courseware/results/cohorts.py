"""How a cohort stands: learners by test, exercise, practice and card. Reads what the other parts wrote.

Every learner's marks are worked out, since sorting, medians and the sentence on top need them, and kept until one of
them changes; of cards and practice only what is shown is read. The number of queries does not grow with the number of
learners.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q, QuerySet

from courseware.accounts.models import Cohort, Enrolment, EnrolmentQuerySet
from courseware.concepts.course import current
from courseware.concepts.modules import Concept
from courseware.results.module_grade import ModuleGrade, Part, module_grade
from courseware.results.unchanged import State, state_of
from courseware.statements import Given, Statement
from courseware.study.models import Depth, Reading
from grader.catalogue import current_exercises
from grader.exercises import Exercise
from grader.standings import NOT_BEGUN, Standing, standings_in
from quizzes.counting import counting
from quizzes.models import Assignment, PracticeAnswer, SelfCheckPick, Sitting

DEPTH_WORDS = {Depth.FIVE: "5 lines", Depth.FIFTEEN: "15 lines", Depth.DEEP: "deep dive"}
_DEPTHS = tuple(DEPTH_WORDS)
LISTED = 500  # rows up to which their people are asked for one by one
STUCK_AFTER = 3  # submits that do not pass; the first and the second are how one finds out


@dataclass(frozen=True)
class CardCell:
    """One learner and one card."""

    deepest: str  # "" where it was never opened
    self_check: bool | None  # None where it was not answered

    @property
    def words(self) -> str:
        return DEPTH_WORDS[Depth(self.deepest)] if self.deepest else ""


NO_CARD = CardCell("", None)


@dataclass(frozen=True)
class SittingCell:
    """One learner and one test: the sitting that counts, or else the one that is open."""

    sitting: Sitting | None
    is_open: bool = False  # one is running, whether or not another counts

    @property
    def mark(self) -> Decimal | None:
        return self.sitting.mark if self.sitting else None


@dataclass(frozen=True)
class LearnerRow:
    enrolment: Enrolment
    sittings: tuple[SittingCell, ...]
    exercises: tuple[Standing, ...]
    grade: ModuleGrade | None
    looks: tuple[str, ...]  # also of somebody who left
    is_struggling: bool  # some program does not pass, and none of that exercise is being graded
    cards: tuple[CardCell, ...] = ()  # filled in for rows that are shown
    practised: int = 0
    practised_right: int = 0

    @property
    def is_active(self) -> bool:
        return self.enrolment.withdrawn_at is None

    @property
    def remarks(self) -> tuple[str, ...]:
        """What an instructor would look at, in a word or two each."""
        return self.looks if self.is_active else ()


def is_stuck(exercise: Standing) -> bool:
    return exercise.submits >= STUCK_AFTER and not exercise.is_right and not exercise.is_live


def _looks(sittings: Sequence[SittingCell], exercises: Sequence[Standing]) -> tuple[str, ...]:
    late = any(cell.sitting is not None and cell.sitting.days_late for cell in sittings)
    stuck = sum(map(is_stuck, exercises))
    nothing = not any(cell.sitting for cell in sittings) and not any(each.submits for each in exercises)
    found = ("handed in late" if late else "", f"stuck in {stuck} exercise{'s' * (stuck > 1)}" if stuck else "")
    return tuple(filter(None, (*found, "nothing begun" if nothing else "")))


@dataclass(frozen=True)
class CohortStanding:
    """A table: one column per written concept, per test and per exercise; one row per learner."""

    cohort: Cohort
    concepts: tuple[Concept, ...]
    assignments: tuple[Assignment, ...]
    exercises: tuple[Exercise, ...]
    rows: tuple[LearnerRow, ...]

    @property
    def active(self) -> list[LearnerRow]:
        return [row for row in self.rows if row.is_active]

    @property
    def has_grade(self) -> bool:
        return current().module.grade is not None

    @property
    def finding(self) -> str:
        """The page's one sentence: how many are done with the latest test, or how many there are."""
        active = self.active
        if not active:
            return "Nobody learns here yet"
        if not self.assignments:
            return f"{len(active)} {'learner' if len(active) == 1 else 'learners'}, and no test yet"
        handed_in = sum(cell.is_closed for row in active if (cell := row.sittings[-1].sitting) is not None)
        return f"{handed_in} of {len(active)} have handed in: {self.assignments[-1].title}"

    @property
    def needs_a_look(self) -> tuple[str, ...]:
        """What an instructor would ask next, each as a sentence; only what is the case."""
        active = self.active
        opened, missed = set(_OPENED.rows(cohort=self.cohort.pk)), set(_MISSED.rows(cohort=self.cohort.pk))
        found = (
            (sum(row.enrolment.user_id not in opened for row in active), "opened no card so far"),
            (sum(row.enrolment.user_id in missed for row in active), "picked a wrong option in a self-check"),
            (sum(row.is_struggling for row in active), "submitted code that does not pass yet"),
        )
        return tuple(f"{count} {words}." for count, words in found if count)


def _learners() -> EnrolmentQuerySet:
    return Enrolment.objects.learners().filter(cohort=Given("cohort", int))


_LEARNERS: Statement[Enrolment] = Statement(
    lambda: (
        _learners()
        .select_related("user")
        .only("cohort", "section", "withdrawn_at", "user__uuid", "user__name", "user__email")
        .order_by("withdrawn_at", "user__name", "user__email")
    )
)
_ASSIGNMENTS: Statement[Assignment] = Statement(
    lambda: Assignment.objects.filter(cohort=Given("cohort", int)).order_by("created_at")
)
_SITTINGS: Statement[Sitting] = Statement(
    lambda: Sitting.objects.filter(assignment__cohort=Given("cohort", int)).order_by("attempt")
)
_OPENED: Statement[int] = Statement(
    lambda: (
        Reading.objects.filter(user__in=_learners().values("user")).order_by().values_list("user", flat=True).distinct()
    )
)
_MISSED: Statement[int] = Statement(
    lambda: (
        SelfCheckPick.objects.filter(user__in=_learners().values("user"), is_right=False)
        .values_list("user", flat=True)
        .distinct()
    )
)


def standing_of(cohort: Cohort) -> CohortStanding:
    """Return how every learner of a cohort stands, whole, by name; withdrawn learners stand at the end."""
    found = marks_of(cohort)
    return replace(found, rows=with_cards(found, found.rows))


def marks_of(cohort: Cohort) -> CohortStanding:
    """Return how every learner of a cohort stands in tests and exercises, cards and practice left out."""
    enrolments = _LEARNERS.rows(cohort=cohort.pk)
    enrolments.sort(key=lambda each: each.withdrawn_at is not None)  # databases disagree on where nulls go
    module = current().module
    assignments = tuple(_ASSIGNMENTS.rows(cohort=cohort.pk))
    exercises = tuple(current_exercises().values())
    state, kept = state_of(cohort, assignments), _kept.get(cohort.pk)
    if kept is None or kept[0] != state or any(each.pk not in kept[1] for each in enrolments):
        if len(_kept) >= _KEPT_AT_MOST:
            _kept.clear()
        kept = _kept[cohort.pk] = state, _worked_out(cohort, enrolments, assignments, exercises)
    rows = [LearnerRow(each, *kept[1][each.pk]) for each in enrolments]
    concepts = tuple(each for each in module.concepts if each.card is not None)
    return CohortStanding(cohort, concepts, assignments, exercises, tuple(rows))


_Marks = tuple[tuple[SittingCell, ...], tuple[Standing, ...], ModuleGrade | None, tuple[str, ...], bool]
# Marks by enrolment, which names nobody, of the cohorts that somebody looked at last, each with the state it was in.
# Working them out for 1,000 learners and 20,000 submissions takes ten times as long as telling that nothing changed.
_KEPT_AT_MOST = 16
_kept: dict[int, tuple[State, Mapping[int, _Marks]]] = {}


def _worked_out(
    cohort: Cohort, enrolments: Sequence[Enrolment], assignments: Sequence[Assignment], exercises: Sequence[Exercise]
) -> Mapping[int, _Marks]:
    attempts: dict[tuple[int, int], list[Sitting]] = defaultdict(list)
    for sitting in _SITTINGS.rows(cohort=cohort.pk):
        attempts[sitting.enrolment_id, sitting.assignment_id].append(sitting)
    standing = standings_in(cohort)
    grade = _grades(assignments, exercises)
    found: dict[int, _Marks] = {}
    for each in enrolments:
        sittings = tuple(_sitting(assignment, attempts.get((each.pk, assignment.pk), ())) for assignment in assignments)
        stands = tuple(standing.get((each.user_id, exercise.slug), NOT_BEGUN) for exercise in exercises)
        struggling = any(stand.submits and not stand.is_right and not stand.is_live for stand in stands)
        found[each.pk] = sittings, stands, grade(sittings, stands), _looks(sittings, stands), struggling
    return found


def with_cards(standing: CohortStanding, rows: Sequence[LearnerRow]) -> tuple[LearnerRow, ...]:
    """Return these rows with what their learners read, picked and practised."""
    # A list of thousands is more parameters than a database takes.
    users = (
        [row.enrolment.user_id for row in rows]
        if len(rows) <= LISTED
        else Enrolment.objects.learners().filter(cohort=standing.cohort).values("user")
    )
    cards, practised = _cards(users), _practised(users)
    return tuple(
        replace(
            row,
            cards=tuple(cards.get((row.enrolment.user_id, concept.id), NO_CARD) for concept in standing.concepts),
            practised=practised.get(row.enrolment.user_id, (0, 0))[0],
            practised_right=practised.get(row.enrolment.user_id, (0, 0))[1],
        )
        for row in rows
    )


def _sitting(assignment: Assignment, attempts: Sequence[Sitting]) -> SittingCell:
    if not attempts:
        return SittingCell(None)
    counted = counting(assignment.counts, attempts)
    return SittingCell(counted or attempts[0], is_open=any(not each.is_closed for each in attempts))


def _grades(
    assignments: Sequence[Assignment], exercises: Sequence[Exercise]
) -> Callable[[Sequence[SittingCell], Sequence[Standing]], ModuleGrade | None]:
    formula = current().module.grade

    def grade(sittings: Sequence[SittingCell], stands: Sequence[Standing]) -> ModuleGrade | None:
        if formula is None:
            return None
        tests = [
            Part(cell.mark, cell.sitting.out_of if cell.sitting else Decimal(1), cell.is_open)
            for cell, assignment in zip(sittings, assignments, strict=True)
            if not assignment.is_practice
        ]
        programs = [
            Part(each.best_mark, exercise.marks, each.is_live) for each, exercise in zip(stands, exercises, strict=True)
        ]
        return module_grade(formula, tests, programs)

    return grade


def _cards(users: "list[int] | QuerySet[Enrolment, Any]") -> Mapping[tuple[int, str], CardCell]:
    depths: dict[tuple[int, str], set[str]] = defaultdict(set)
    for user, concept, depth in Reading.objects.filter(user__in=users).values_list("user", "concept", "depth"):
        depths[user, concept].add(depth)
    picked = SelfCheckPick.objects.filter(user__in=users).values_list("user", "concept_id", "is_right")
    picks = {(user, concept): is_right for user, concept, is_right in picked}
    cells: dict[tuple[int, str], CardCell] = {}
    for key in depths.keys() | picks.keys():
        deepest = next((depth for depth in reversed(_DEPTHS) if depth in depths.get(key, set())), "")
        cells[key] = CardCell(deepest, picks.get(key))
    return cells


def _practised(users: "list[int] | QuerySet[Enrolment, Any]") -> Mapping[int, tuple[int, int]]:
    """Return how many answers each gave in practice, and how many different questions they got right."""
    right = Count("question_id", filter=Q(fraction=1), distinct=True)
    given = (
        PracticeAnswer.objects.filter(user__in=users).order_by().values("user").annotate(count=Count("pk"), right=right)
    )
    return {user: (count, right) for user, count, right in given.values_list("user", "count", "right")}
