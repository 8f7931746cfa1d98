"""Verbs that give a cohort its tests and change their conditions."""

import secrets
from dataclasses import asdict, dataclass
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction

from courseware.accounts import audit
from courseware.accounts.models import Cohort, User
from quizzes.accommodations import reach
from quizzes.catalogue import current_bank
from quizzes.models import Assignment, Counts, Feedback
from quizzes.questions import Pool

ADD, CHANGE = "add test", "change test"


@dataclass(frozen=True)
class Conditions:
    """Everything about a test that its instructors decide."""

    title: str
    blueprint: str
    same_paper: bool  # for everybody and every attempt; else each sitting has a paper of its own
    opens_at: datetime | None
    closes_at: datetime | None
    minutes: int | None
    late_until: datetime | None
    late_percent_per_day: int
    attempts: int
    counts: str
    marks_shown: str
    explanations_shown: str


def assign_blueprint(cohort: Cohort, blueprint_name: str) -> Assignment:
    """Return the cohort's test of this blueprint, made with the blueprint's defaults if there is none yet.

    Errors:  KeyError if the course has no blueprint of this name
    """
    defaults = defaults_of(blueprint_name)
    assignment, _ = Assignment.objects.get_or_create(
        cohort=cohort,
        title=defaults.title,
        defaults={
            "blueprint": blueprint_name,
            "minutes": defaults.minutes,
            "attempts": defaults.attempts,
            "counts": defaults.counts,
            "seed": current_bank().blueprints[blueprint_name].seed,
        },
    )
    return assignment


def defaults_of(blueprint_name: str) -> Conditions:
    """Return what a test of this blueprint has where nobody decides otherwise.

    Errors:  KeyError if the course has no blueprint of this name
    """
    blueprint = current_bank().blueprints[blueprint_name]
    return Conditions(
        title=blueprint.title,
        blueprint=blueprint.name,
        same_paper=bool(blueprint.seed),
        opens_at=None,
        closes_at=None,
        minutes=blueprint.minutes,
        late_until=None,
        late_percent_per_day=0,
        attempts=blueprint.attempts,
        counts=Counts.NONE if blueprint.pool is Pool.PRACTICE else Counts.BEST,
        marks_shown=Feedback.AT_HAND_IN,
        explanations_shown=Feedback.AT_HAND_IN,
    )


def conditions_of(assignment: Assignment) -> Conditions:
    """Return the conditions of a test as they stand."""
    return Conditions(
        title=assignment.title,
        blueprint=assignment.blueprint,
        same_paper=bool(assignment.seed),
        opens_at=assignment.opens_at,
        closes_at=assignment.closes_at,
        minutes=assignment.minutes,
        late_until=assignment.late_until,
        late_percent_per_day=assignment.late_percent_per_day,
        attempts=assignment.attempts,
        counts=assignment.counts,
        marks_shown=assignment.marks_shown,
        explanations_shown=assignment.explanations_shown,
    )


@transaction.atomic
def add_assignment(cohort: Cohort, conditions: Conditions, *, by: User) -> Assignment:
    """Return a new test of this cohort.

    Errors:  ValidationError if the title is taken or the conditions contradict each other
    """
    Cohort.objects.select_for_update().get(pk=cohort.pk)  # of two clicks at once the second finds the title taken
    assignment = Assignment(cohort=cohort)
    _set(assignment, conditions)
    audit.note(by, ADD, f"assignment {assignment.pk}", cohort=cohort, after=_words(asdict(conditions)))
    return assignment


@transaction.atomic
def change_assignment(assignment: Assignment, conditions: Conditions, *, by: User) -> bool:
    """Change a test, in sittings that are running too; False if everything was so already.

    A running sitting never ends sooner than it would have, and what learners began under is not taken back: the paper
    once somebody has drawn it, and the price of being late.

    Errors:  ValidationError if the title is taken, the conditions contradict each other, or a promise would be broken
    """
    assignment = Assignment.objects.select_for_update().get(pk=assignment.pk)
    before = conditions_of(assignment)
    if conditions == before:
        return False
    if is_begun(assignment):
        _keep_promises(before, conditions)
    _set(assignment, conditions)
    old, new = asdict(before), asdict(conditions)
    changed = [name for name in new if new[name] != old[name]]
    audit.note(
        by,
        CHANGE,
        f"assignment {assignment.pk}",
        cohort=assignment.cohort,
        before=_words({name: old[name] for name in changed}),
        after=_words({name: new[name] for name in changed}),
    )
    reach(assignment.sittings.all())
    return True


def is_begun(assignment: Assignment) -> bool:
    """Tell whether somebody has drawn a paper of this test."""
    return assignment.sittings.exists()


def _keep_promises(before: Conditions, after: Conditions) -> None:
    if (before.blueprint, before.same_paper) != (after.blueprint, after.same_paper):
        raise ValidationError({"blueprint": "Somebody has begun this test, so its papers stay as they are."})
    if before.late_until and after.late_percent_per_day > before.late_percent_per_day:
        raise ValidationError(
            {"late_percent_per_day": "Somebody has begun this test, so being late may cost less now, but not more."}
        )


def _set(assignment: Assignment, conditions: Conditions) -> None:
    values = asdict(conditions)
    same_paper = values.pop("same_paper")
    for name, value in values.items():
        setattr(assignment, name, value)
    if same_paper != bool(assignment.seed):
        blueprint = current_bank().blueprints.get(conditions.blueprint)
        fixed = blueprint.seed if blueprint else ""
        assignment.seed = fixed or secrets.token_hex(8) if same_paper else ""
    assignment.full_clean()
    assignment.save()


def _words(values: dict[str, object]) -> str:
    return "; ".join(
        f"{name} {value.isoformat() if isinstance(value, datetime) else value}" for name, value in values.items()
    )
