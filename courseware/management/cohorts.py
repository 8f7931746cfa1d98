"""A new cohort of this site's course, with the tests that every cohort begins with."""

from django.db import transaction

from courseware.accounts import audit
from courseware.accounts.models import Cohort, Role, User
from courseware.accounts.people import enrol
from courseware.concepts import course
from quizzes.assignments import assign_blueprint
from quizzes.catalogue import current_bank


@transaction.atomic
def add_cohort(name: str, *, time_zone: str = "UTC", instructor: User | None = None) -> Cohort:
    """Return a new cohort of the course's module, with its tests, and its instructor if one is given.

    Errors:  ValidationError if the name is taken or unreadable, or the time zone is none
    """
    cohort = Cohort(name=name, module=course.current().module.id, time_zone=time_zone)
    cohort.full_clean()
    cohort.save()
    # Learners see the latest first, and what the course names first is the one that matters most.
    for blueprint in reversed(list(current_bank().blueprints)):
        assign_blueprint(cohort, blueprint)
    audit.note(None, "add cohort", f"cohort {cohort.pk}", cohort=cohort, after=name)
    if instructor is not None:
        enrol(instructor, cohort, Role.INSTRUCTOR)
    return cohort
