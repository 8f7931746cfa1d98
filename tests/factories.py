"""Rows for tests. Every function works without arguments; a test states only what matters to it."""

import itertools

from courseware.accounts.models import Cohort, Enrolment, Role, User

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
