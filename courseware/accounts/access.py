"""Who may do what. Every query about a learner starts from the person who asks; what is not theirs is not found."""

import uuid

from django.core.exceptions import PermissionDenied
from django.db.models import F
from django.http import Http404

from courseware.accounts.models import Cohort, Enrolment, Role, User
from courseware.statements import Given, Statement

_STAFF_OF_ANY: Statement[int] = Statement(
    lambda: Enrolment.objects.active().staff().filter(user=Given("user", int)).values_list("pk", flat=True)[:1]
)
_TAUGHT: Statement[Cohort] = Statement(
    lambda: Cohort.objects.filter(
        pk=Given("cohort", int), enrolments__in=Enrolment.objects.active().staff().filter(user=Given("user", int))
    ).annotate(found_for=F("enrolments__user"), found_as=F("enrolments__role"))
)


def cohort_for_staff(user: User, cohort_id: int) -> Cohort:
    """Return a cohort that this person teaches or assists, or raise Http404."""
    found = _TAUGHT.first(user=user.pk, cohort=cohort_id)
    if found is None:
        raise Http404("no such cohort")
    return found


def cohort_for_instructor(user: User, cohort_id: int) -> Cohort:
    """Return a cohort that this person may change; raise Http404 for outsiders, PermissionDenied for its assistants."""
    cohort = cohort_for_staff(user, cohort_id)
    if not instructs(user, cohort):
        raise PermissionDenied("only instructors of this cohort")
    return cohort


def instructs(user: User, cohort: Cohort) -> bool:
    """Tell whether this person, for whom the cohort was found, may change it; assistants may not."""
    role: str | None = getattr(cohort, "found_as", None)
    return role == Role.INSTRUCTOR and getattr(cohort, "found_for", None) == user.pk


def learner_of(cohort: Cohort, user_uuid: uuid.UUID) -> Enrolment:
    """Return a learner's enrolment in a cohort that was already checked, withdrawn ones included, or raise Http404."""
    try:
        return Enrolment.objects.learners().select_related("user").get(cohort=cohort, user__uuid=user_uuid)
    except Enrolment.DoesNotExist:
        raise Http404("no such learner") from None


def teaches(user: User) -> bool:
    """Tell whether this person is staff of any cohort; with whoever is signed in the answer came along."""
    told: bool | None = getattr(user, "is_staff_of_any", None)
    return _STAFF_OF_ANY.first(user=user.pk) is not None if told is None else told
