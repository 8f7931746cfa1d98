"""Verbs that give a cohort its tests."""

from courseware.accounts.models import Cohort
from quizzes.catalogue import current_bank
from quizzes.models import Assignment


def assign_blueprint(cohort: Cohort, blueprint_name: str) -> Assignment:
    """Return the cohort's test of this blueprint, made with the blueprint's defaults if there is none yet.

    Errors:  KeyError if the course has no blueprint of this name
    """
    blueprint = current_bank().blueprints[blueprint_name]
    assignment, _ = Assignment.objects.get_or_create(
        cohort=cohort,
        title=blueprint.title,
        defaults={"blueprint": blueprint.name, "minutes": blueprint.minutes, "attempts": blueprint.attempts},
    )
    return assignment
