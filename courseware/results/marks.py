"""Everybody's marks in a cohort and what sums them up, kept in memory until one of them changes. Names nobody.

Working them out for 1,000 learners and 20,000 submissions takes ten times as long as telling that nothing changed.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from statistics import median

from courseware.accounts.models import Cohort
from courseware.concepts.course import current
from courseware.results.module_grade import ModuleGrade, Part, module_grade
from courseware.results.people import Person
from courseware.results.unchanged import State, state_of
from courseware.statements import Given, Statement
from grader.exercises import Exercise
from grader.models import SubmissionMarkOverride
from grader.standings import NOT_BEGUN, Standing, standings_in
from quizzes.counting import counting
from quizzes.models import Assignment, Sitting, SittingMarkOverride

Written = tuple[str, str]  # HTML, for `courseware.results.roll` alone to read
STUCK_AFTER = 3  # submits that do not pass; the first and the second are how one finds out


@dataclass(frozen=True)
class SittingCell:
    """One learner and one test: the sitting that counts, or else the one that is open."""

    sitting: Sitting | None
    is_open: bool = False  # one is running, whether or not another counts
    is_by_hand: bool = False

    @property
    def mark(self) -> Decimal | None:
        return self.sitting.mark if self.sitting else None


@dataclass(frozen=True)
class Marks:
    """One learner's, by test and exercise in the order of the columns."""

    sittings: tuple[SittingCell, ...]
    exercises: tuple[Standing, ...]
    by_hand: frozenset[str]  # exercises with a mark that somebody changed
    grade: ModuleGrade | None

    @property
    def is_struggling(self) -> bool:
        """Some program does not pass, and none of that exercise is being graded."""
        return any(each.submits and not each.is_right and not each.is_live for each in self.exercises)

    @cached_property
    def looks(self) -> tuple[str, ...]:
        """What an instructor would look at, in a word or two each."""
        late = any(cell.sitting is not None and cell.sitting.days_late for cell in self.sittings)
        stuck = sum(map(is_stuck, self.exercises))
        nothing = not any(cell.sitting for cell in self.sittings) and not any(each.submits for each in self.exercises)
        found = ("handed in late" if late else "", f"stuck in {stuck} exercise{'s' * (stuck > 1)}" if stuck else "")
        return tuple(filter(None, (*found, "nothing begun" if nothing else "")))


@dataclass(frozen=True)
class Figures:
    """What sums up those who learn here now."""

    active: int
    handed_in: int  # the latest test
    struggling: int
    to_look_at: int
    medians: tuple[Decimal | None, ...]  # grade, tests, exercises; without what is open or not begun


@dataclass(frozen=True)
class Kept:
    """The marks by enrolment, their figures, and how they were written; another mark makes all of it anew."""

    marks: Mapping[int, Marks]
    figures: Figures
    written: dict[tuple[int, bool], Written] = field(default_factory=dict)  # also by whether the reader may change them


def is_stuck(exercise: Standing) -> bool:
    return exercise.submits >= STUCK_AFTER and not exercise.is_right and not exercise.is_live


def kept_marks(
    cohort: Cohort, people: Sequence[Person], assignments: Sequence[Assignment], exercises: Sequence[Exercise]
) -> Kept:
    """Return everybody's marks as they are now."""
    state, found = state_of(cohort, assignments, people), _kept.get(cohort.pk)
    if found is None or found[0] != state:
        if len(_kept) >= _KEPT_AT_MOST:
            _kept.clear()
        marks = _worked_out(cohort, people, assignments, exercises)
        active = [marks[each.enrolment] for each in people if each.is_active]
        found = _kept[cohort.pk] = state, Kept(marks, _figures(active, len(assignments), len(exercises)))
    return found[1]


_KEPT_AT_MOST = 16  # cohorts that somebody looked at last
_kept: dict[int, tuple[State, Kept]] = {}

_SITTINGS: Statement[Sitting] = Statement(
    lambda: Sitting.objects.filter(assignment__cohort=Given("cohort", int)).order_by("attempt")
)


def _worked_out(
    cohort: Cohort, people: Sequence[Person], assignments: Sequence[Assignment], exercises: Sequence[Exercise]
) -> Mapping[int, Marks]:
    attempts: dict[tuple[int, int], list[Sitting]] = defaultdict(list)
    for sitting in _SITTINGS.rows(cohort=cohort.pk):
        attempts[sitting.enrolment_id, sitting.assignment_id].append(sitting)
    standing = standings_in(cohort)
    changed = SittingMarkOverride.objects.filter(sitting__assignment__cohort=cohort)
    tests_by_hand = frozenset(changed.values_list("sitting", flat=True))
    programs_by_hand: dict[int, set[str]] = defaultdict(set)
    programs = SubmissionMarkOverride.objects.filter(submission__user__in=cohort.enrolments.learners().values("user"))
    for user, exercise in programs.values_list("submission__user", "submission__exercise"):
        programs_by_hand[user].add(exercise)
    grade = _grades(assignments, exercises)
    found: dict[int, Marks] = {}
    for each in people:
        sittings = tuple(
            _sitting(assignment, attempts.get((each.enrolment, assignment.pk), ()), tests_by_hand)
            for assignment in assignments
        )
        stands = tuple(standing.get((each.user, exercise.slug), NOT_BEGUN) for exercise in exercises)
        by_hand = frozenset(programs_by_hand.get(each.user, ()))
        found[each.enrolment] = Marks(sittings, stands, by_hand, grade(sittings, stands))
    return found


def _sitting(assignment: Assignment, attempts: Sequence[Sitting], by_hand: frozenset[object]) -> SittingCell:
    if not attempts:
        return SittingCell(None)
    counted = counting(assignment.counts, attempts) or attempts[0]
    return SittingCell(counted, any(not each.is_closed for each in attempts), counted.pk in by_hand)


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


def _figures(active: Sequence[Marks], tests: int, exercises: int) -> Figures:
    columns: list[list[Decimal | None]] = [
        [each.grade.percent for each in active if each.grade and not each.grade.is_provisional],
        *([each.sittings[at].mark for each in active] for at in range(tests)),
        *([each.exercises[at].best_mark for each in active] for at in range(exercises)),
    ]
    return Figures(
        active=len(active),
        handed_in=sum(last.is_closed for each in active if tests and (last := each.sittings[-1].sitting) is not None),
        struggling=sum(each.is_struggling for each in active),
        to_look_at=sum(bool(each.looks) for each in active),
        medians=tuple(
            median(known) if (known := [mark for mark in column if mark is not None]) else None for column in columns
        ),
    )
