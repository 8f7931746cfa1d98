"""More time for one learner: how much there is, giving it, and how it reaches a sitting that is running.

Time that a running sitting has is never taken away again, whatever is changed; a sitting that was closed stays closed,
since its explanations may have been read, and another attempt is given instead.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils import timezone

from courseware.accounts import audit
from courseware.accounts.models import Accommodation, Enrolment, User
from courseware.statements import Given, Statement
from quizzes.event_log import note
from quizzes.models import Assignment, EventKind, Extension, Sitting, SittingQuerySet
from quizzes.timing import Extra, Limits, later, limits

ACCOMMODATE, EXTEND = "accommodate", "extend"

# An enrolment, its factor and minutes in every test, one test of which it has more, its minutes and attempts there.
_Row = tuple[int, Decimal | None, int, int | None, int, int]


@dataclass(frozen=True)
class Extras:
    """What some enrolments are given: in every test of their cohort, and in one test."""

    always: Mapping[int, Extra]
    once: Mapping[tuple[int, int], Extra]  # by enrolment and assignment

    def limits(self, assignment: Assignment, enrolment_id: int) -> Limits:
        """Return what a test allows this learner."""
        always, once = self.always.get(enrolment_id, _NOTHING), self.once.get((enrolment_id, assignment.pk), _NOTHING)
        return limits(assignment.terms, Extra(always.factor, always.minutes + once.minutes, once.attempts))


_NOTHING = Extra()
NO_EXTRAS = Extras(always={}, once={})


def extras(enrolments: Iterable[int]) -> Extras:
    """Return what these enrolments are given."""
    ids = list(enrolments)
    return _extras(_given(Enrolment.objects.filter(pk__in=ids))) if ids else NO_EXTRAS


def extras_of(user_id: int) -> Extras:
    """Return what one person's enrolments are given."""
    return _extras(_OF_ONE.rows(user=user_id))


def _extras(rows: Iterable[_Row]) -> Extras:
    always, once = {}, {}
    for enrolment, factor, extra_minutes, assignment, minutes, attempts in rows:
        if factor is not None:
            always[enrolment] = Extra(factor, extra_minutes)
        if assignment is not None:
            once[enrolment, assignment] = Extra(minutes=minutes, attempts=attempts)
    return Extras(always, once)


def _given(enrolments: QuerySet[Enrolment]) -> QuerySet[Enrolment, _Row]:
    """Return a row for each test in which an enrolment is given something, or one; both kinds in one query."""
    always = "accommodation__factor", "accommodation__extra_minutes"
    given = enrolments.order_by().values_list("pk", *always, "extensions__assignment")
    return given.annotate(all_minutes=Sum("extensions__minutes"), all_attempts=Sum("extensions__attempts"))


_OF_ONE: Statement[_Row] = Statement(lambda: _given(Enrolment.objects.filter(user=Given("user", int))))


@transaction.atomic
def accommodate(enrolment: Enrolment, *, factor: Decimal, extra_minutes: int, by: User) -> bool:
    """Give a learner this much time in every test of the cohort, running ones included; False if it was so already."""
    Enrolment.objects.select_for_update().get(pk=enrolment.pk)
    held = Accommodation.objects.filter(enrolment=enrolment).first() or Accommodation(enrolment=enrolment)
    if (held.factor, held.extra_minutes) == (factor, extra_minutes):
        return False
    before = _words(held)
    held.factor, held.extra_minutes = factor, extra_minutes
    held.full_clean()
    held.save()
    _write_down(by, ACCOMMODATE, enrolment, before=before, after=_words(held))
    reach(Sitting.objects.filter(enrolment=enrolment))
    return True


@transaction.atomic
def extend(
    assignment: Assignment, enrolment: Enrolment, *, minutes: int, attempts: int, already_given: int, by: User
) -> bool:
    """Give a learner more of one test, a running sitting included; False if this was given already.

    `already_given` is how many extensions the giver saw, so that a button pressed twice gives once.
    """
    Enrolment.objects.select_for_update().get(pk=enrolment.pk)
    mine = Extension.objects.filter(assignment=assignment, enrolment=enrolment)
    if mine.count() != already_given:
        return False
    Extension.objects.create(
        assignment=assignment, enrolment=enrolment, minutes=minutes, attempts=attempts, given_by=by
    )
    words = f"{minutes} minutes and {attempts} attempts more in assignment {assignment.pk}"
    _write_down(by, EXTEND, enrolment, after=words)
    reach(Sitting.objects.filter(assignment=assignment, enrolment=enrolment))
    return True


def reach(sittings: SittingQuerySet) -> None:
    """Let those that are open end as late as the terms and the learner's extra time now allow. Inside a transaction."""
    running = list(
        sittings.filter(closed_at=None).select_for_update(of=("self",)).select_related("assignment").order_by("pk")
    )
    given = extras({sitting.enrolment_id for sitting in running})
    now = timezone.now()
    for sitting in running:
        allowed = given.limits(sitting.assignment, sitting.enrolment_id)
        before = sitting.deadline_at, sitting.on_time_until
        sitting.deadline_at = later(sitting.deadline_at, allowed.deadline(sitting.opened_at))
        sitting.on_time_until = later(sitting.on_time_until, allowed.closes_at)
        if (sitting.deadline_at, sitting.on_time_until) != before:
            sitting.save(update_fields=["deadline_at", "on_time_until"])
            detail = {"from": _iso(before[0]), "to": _iso(sitting.deadline_at)}
            note(sitting, EventKind.EXTENDED, now, detail=detail)


def _write_down(by: User, verb: str, enrolment: Enrolment, *, before: str = "", after: str) -> None:
    audit.note(by, verb, f"enrolment {enrolment.pk}", cohort=enrolment.cohort, before=before, after=after)


def _iso(instant: datetime | None) -> str | None:
    return None if instant is None else instant.isoformat()


def _words(accommodation: Accommodation) -> str:
    return f"{accommodation.factor.normalize():f} times and {accommodation.extra_minutes} minutes more"
