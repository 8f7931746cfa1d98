"""Verbs that make people and cohorts."""

from django.db import transaction

from courseware.accounts.models import Cohort, Enrolment, Role, User


@transaction.atomic
def add_user(*, email: str, name: str, password: str, cohort: Cohort | None = None, role: Role = Role.LEARNER) -> User:
    """Return a new person, enrolled in the cohort if one is given.

    Errors:  ValidationError if the address is taken or not an address
    """
    user = User.objects.create_user(email, password, name=name)
    if cohort is not None:
        enrol(user, cohort, role)
    return user


def enrol(user: User, cohort: Cohort, role: Role) -> Enrolment:
    """Give a person a role in a cohort; whoever had withdrawn is back."""
    enrolment, _ = Enrolment.objects.update_or_create(
        user=user, cohort=cohort, defaults={"role": role, "withdrawn_at": None}
    )
    return enrolment
