"""Where a learner stands: in a list of tests, and inside an open sitting. Reveals no key, and changes nothing but
that it closes what is over."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BooleanField, ExpressionWrapper, Q
from django.utils import timezone

from courseware.accounts.models import Enrolment, User
from courseware.statements import Given, Statement
from quizzes import feedback
from quizzes.accommodations import extras_of
from quizzes.closing import close_if_due
from quizzes.counting import counting
from quizzes.marking import shown
from quizzes.models import Assignment, Response, Sitting
from quizzes.moments import deadline, moment
from quizzes.terms_in_words import sentences
from quizzes.timing import Limits


@dataclass(frozen=True)
class Standing:
    """One test as its learner sees it."""

    assignment: Assignment
    shape: str
    state: str  # "not yet open", "open", "late", "in progress", "handed in", "closed"
    line: str  # the same as a sentence
    limits: Limits  # what it allows this learner
    policy: feedback.Policy
    answers_become_final: bool  # one by one, before hand-in
    open_sitting: Sitting | None
    handed_in: tuple[Sitting, ...]  # the latest first
    counted: Sitting | None  # which of them is the result; None where its learner may not know
    may_start: bool
    may_continue: bool
    attempts_left: int

    @property
    def promise(self) -> str:
        """When marks and explanations are shown."""
        return self.policy.promise

    @property
    def terms(self) -> tuple[str, ...]:
        """The conditions that hold for this learner, as sentences."""
        return sentences(self.assignment, self.limits)


@dataclass(frozen=True)
class Cell:
    """One question in the list of an open sitting."""

    position: int
    is_answered: bool
    is_flagged: bool
    saved_at: datetime | None

    @property
    def words(self) -> str:
        return ("answered" if self.is_answered else "open") + (", marked" if self.is_flagged else "")


@dataclass(frozen=True)
class Progress:
    """What of an open sitting is answered, open and marked."""

    cells: tuple[Cell, ...]

    @property
    def answered(self) -> int:
        return sum(cell.is_answered for cell in self.cells)

    @property
    def open_positions(self) -> tuple[int, ...]:
        return tuple(cell.position for cell in self.cells if not cell.is_answered)

    @property
    def back_to(self) -> int:
        """Where going back to the questions leads: the first open one, or the first."""
        return next(iter(self.open_positions), 1)

    @property
    def flagged_positions(self) -> tuple[int, ...]:
        return tuple(cell.position for cell in self.cells if cell.is_flagged)


_THEIRS: Statement[Assignment] = Statement(
    lambda: Assignment.objects.for_learner(Given("user", int)).select_related("cohort").order_by("-created_at", "-pk")
)
_SAT: Statement[Sitting] = Statement(lambda: Sitting.objects.of(Given("user", int)).order_by("-attempt"))
_LEARNS: Statement[tuple[int, int, datetime | None]] = Statement(
    lambda: Enrolment.objects.learners().filter(user=Given("user", int)).values_list("cohort", "pk", "withdrawn_at")
)
_TEST: Statement[Assignment] = Statement(
    lambda: Assignment.objects.select_related("cohort").filter(pk=Given("test", int))
)
_MEMBER: Statement[Enrolment] = Statement(
    lambda: Enrolment.objects.learners().active().filter(user=Given("user", int), cohort=Given("cohort", int))
)
_IS_ANSWERED = ExpressionWrapper(Q(answer__isnull=False), output_field=BooleanField())
_CELLS: Statement[tuple[int, bool, bool, datetime | None]] = Statement(
    lambda: (
        Response.objects.filter(slot__sitting=Given("sitting", uuid.UUID))
        .order_by("slot__position")
        .values_list("slot__position", _IS_ANSWERED, "slot__flagged", "saved_at")
    )
)

_OPEN: Statement[int] = Statement(
    lambda: (
        Response.objects.filter(slot__sitting=Given("sitting", uuid.UUID), answer__isnull=True)
        .order_by("slot__position")
        .values_list("slot__position", flat=True)[:1]
    )
)


def standings(user: User) -> tuple[Standing, ...]:
    """Return how this learner stands in every test that is theirs, the latest made first; what is over is closed."""
    return _standings(user, _THEIRS.rows(user=user.pk))


def standing(user: User, assignment_id: int) -> Standing | None:
    """Return how this learner stands in one test, None if it is not theirs."""
    found = _standings(user, Assignment.objects.for_learner(user).select_related("cohort").filter(pk=assignment_id))
    return found[0] if found else None


def place(user: User, assignment_id: int) -> tuple[Assignment, Enrolment] | None:
    """Return a test and the enrolment by which this person may sit it now, None if there is no such enrolment."""
    assignment = _TEST.first(test=assignment_id)
    enrolment = assignment and _MEMBER.first(user=user.pk, cohort=assignment.cohort_id)
    return (assignment, enrolment) if assignment and enrolment else None


def progress(sitting: Sitting) -> Progress:
    """Return which questions of a sitting are answered and which are marked."""
    rows = _CELLS.rows(sitting=sitting.pk)
    return Progress(tuple(Cell(*row) for row in rows))


def first_open(sitting: Sitting) -> int | None:
    """Return the first question of a sitting that is not answered."""
    return 1 if sitting.is_just_drawn else _OPEN.first(sitting=sitting.pk)


def _standings(user: User, found: Iterable[Assignment]) -> tuple[Standing, ...]:
    assignments = list(found)
    sittings: dict[int, list[Sitting]] = {}
    for sitting in map(close_if_due, _SAT.rows(user=user.pk)):
        sittings.setdefault(sitting.assignment_id, []).append(sitting)
    enrolments = {cohort: (pk, left_at is None) for cohort, pk, left_at in _LEARNS.rows(user=user.pk)}
    given = extras_of(user.pk)
    now = timezone.now()
    found_standings = []
    for each in assignments:
        enrolment, is_member = enrolments[each.cohort_id]
        limits = given.limits(each, enrolment)
        found_standings.append(_standing(each, sittings.get(each.pk, []), limits, is_member=is_member, now=now))
    return tuple(found_standings)


def _standing(
    assignment: Assignment, sittings: list[Sitting], limits: Limits, *, is_member: bool, now: datetime
) -> Standing:
    policy = feedback.policy(assignment, limits)
    is_open = next((sitting for sitting in sittings if not sitting.is_closed), None)
    handed_in = tuple(sitting for sitting in sittings if sitting.is_closed)
    counted = counting(assignment.counts, handed_in)
    left = max(0, limits.attempts - len(sittings))
    zone = assignment.zone
    early = assignment.opens_at is not None and now < assignment.opens_at
    over = limits.ends_at is not None and now >= limits.ends_at
    may_start = is_open is None and left > 0 and is_member and not early and not over
    if is_open:
        shape, state = "begun", "in progress"
        line = f"In progress since {moment(is_open.opened_at, zone)}."
        if not is_member:
            line += " You have left this cohort, so no answer can change; what is saved can be handed in."
    elif handed_in:
        shape, state = "tick", "handed in"
        seen = policy.visible(handed_in[0], now)
        # Where marks are not shown, naming the best attempt would tell which of two was better.
        told = counted if counted and seen.marks else handed_in[0]
        assert told.closed_at is not None and told.mark is not None
        line = f"handed in {moment(told.closed_at, zone)}."
        if seen.marks:
            line = f"{shown(told.mark)} of {shown(told.out_of)}, {line}"
        line = f"{line[0].upper()}{line[1:]} {policy.outstanding(seen)}".rstrip()
    elif early:
        assert assignment.opens_at is not None
        shape, state, line = "clock", "not yet open", f"Opens on {deadline(assignment.opens_at, zone)}."
    elif over:
        assert limits.ends_at is not None
        shape, state, line = "open", "closed", f"Closed on {deadline(limits.ends_at, zone)}."
    elif limits.closes_at and now >= limits.closes_at:
        assert limits.late_until is not None
        shape, state, line = "heed", "late", f"Taken late until {deadline(limits.late_until, zone)}."
    else:
        shape, state = "open", "open"
        line = f"Open until {deadline(limits.closes_at, zone)}." if limits.closes_at else "No closing date."
    return Standing(
        assignment=assignment,
        shape=shape,
        state=state,
        line=line,
        limits=limits,
        policy=policy,
        answers_become_final=feedback.answers_become_final(assignment),
        open_sitting=is_open,
        handed_in=handed_in,
        counted=counted if counted and policy.visible(counted, now).marks else None,
        may_start=may_start,
        may_continue=is_open is not None and is_member,
        attempts_left=left,
    )
