"""Who learns in a cohort, as the lists need to know: read in one go, since models of thousands take long to make."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeVar

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from courseware.accounts.models import Cohort, Enrolment, EnrolmentQuerySet
from courseware.statements import Given, Statement

PAGE = 50  # learners; a table of all is one link further
Row = TypeVar("Row")


class Person(NamedTuple):
    """One learner of a cohort; the fields are in the order in which they are read."""

    enrolment: int
    user: int
    name: str
    email: str
    section: str
    withdrawn_at: datetime | None
    uuid: str  # as this database writes it: made into one for each of thousands, it took as long as all else here
    accommodation: int | None

    @property
    def is_active(self) -> bool:
        return self.withdrawn_at is None

    @property
    def has_more_time(self) -> bool:
        """Whether they are given more time in every test."""
        return self.accommodation is not None


def learners() -> EnrolmentQuerySet:
    """Return the learners of the cohort that a statement is given."""
    return Enrolment.objects.learners().filter(cohort=Given("cohort", int))


class OfPeople(Generic[Row]):
    """A question about some people: composed once for those of a page, and once for all learners of a cohort.

    A list of thousands is more parameters than a database takes. `compose` is called with what a `user__id__in` takes.
    """

    def __init__(self, compose: "Callable[[Any], QuerySet[Any, Row]]") -> None:
        self._few = Statement(lambda: compose([Given(f"user{at}", int) for at in range(PAGE)]))
        self._all = Statement(lambda: compose(learners().values("user")))

    def rows(self, cohort: Cohort, users: Sequence[int], *, of: int) -> list[Row]:
        """Return the rows of these of so many people, or of everybody where they are all or more than a page."""
        if not users:
            return []
        if len(users) > PAGE or len(users) == of:
            return self._all.rows(cohort=cohort.pk)
        return self._few.rows(**{f"user{at}": users[min(at, len(users) - 1)] for at in range(PAGE)}, cohort=cohort.pk)


_PEOPLE: "Statement[tuple[int, int, str, str, str, datetime | None, str, int | None]]" = Statement(
    lambda: (
        learners()
        .annotate(uuid=Cast("user__uuid", TextField()))
        .order_by("user__name", "user__email")
        .values_list("pk", "user", "user__name", "user__email", "section", "withdrawn_at", "uuid", "accommodation")
    )
)


def people_of(cohort: Cohort) -> tuple[Person, ...]:
    """Return the learners of a cohort by name, those who left at the end."""
    found = map(Person._make, _PEOPLE.rows(cohort=cohort.pk))
    return tuple(sorted(found, key=lambda each: each.withdrawn_at is not None))
