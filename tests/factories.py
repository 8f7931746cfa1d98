"""Rows for tests. Every function works without arguments; a test states only what matters to it."""

import itertools

from courseware.accounts.models import Cohort, Enrolment, Role, User
from quizzes.models import Assignment, Sitting
from quizzes.sittings import open_sitting

PASSWORD = "a long enough phrase"  # what everybody made here signs in with

_numbers = itertools.count(1)


def make_user(**fields) -> User:
    number = next(_numbers)
    fields.setdefault("email", f"person{number}@example.org")
    fields.setdefault("name", f"Person {number}")
    return User.objects.create_user(password=PASSWORD, **fields)


def make_cohort(**fields) -> Cohort:
    fields.setdefault("name", f"Cohort {next(_numbers)}")
    fields.setdefault("module", "transformers")
    return Cohort.objects.create(**fields)


def make_enrolment(*, user: User | None = None, cohort: Cohort | None = None, **fields) -> Enrolment:
    fields.setdefault("role", Role.LEARNER)
    return Enrolment.objects.create(user=user or make_user(), cohort=cohort or make_cohort(), **fields)


def make_learner(cohort: Cohort | None = None) -> User:
    """A person who learns in a cohort."""
    return make_enrolment(cohort=cohort).user


def make_instructor(cohort: Cohort | None = None) -> User:
    """A person who teaches a cohort."""
    return make_enrolment(cohort=cohort, role=Role.INSTRUCTOR).user


def make_assignment(cohort: Cohort | None = None, **fields) -> Assignment:
    """A test of the course's own blueprint."""
    fields.setdefault("blueprint", "module-test")
    fields.setdefault("title", f"Test {next(_numbers)}")
    return Assignment.objects.create(cohort=cohort or make_cohort(), **fields)


def make_sitting(assignment: Assignment | None = None, *, user: User | None = None, seed: str = "7") -> Sitting:
    """An open sitting, drawn as the site draws it."""
    assignment = assignment or make_assignment()
    user = user or make_user()
    enrolment = Enrolment.objects.filter(user=user, cohort=assignment.cohort).first() or make_enrolment(
        user=user, cohort=assignment.cohort
    )
    sitting = open_sitting(enrolment, assignment, seed=seed)
    assert isinstance(sitting, Sitting)
    return sitting
