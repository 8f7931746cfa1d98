"""Pages on which instructors give a cohort its tests and a learner more time. Others of its staff may not."""

import uuid
from collections.abc import Callable
from http import HTTPStatus
from typing import TypeVar

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from courseware.accounts.access import cohort_for_instructor, learner_of
from courseware.accounts.models import Accommodation, AuditEntry, Cohort, Enrolment
from courseware.accounts.requests import SignedInRequest
from courseware.results.forms import AccommodationForm, ConditionsForm, ExtensionForm
from courseware.results.times import times
from quizzes.accommodations import accommodate, extend
from quizzes.assignments import add_assignment, change_assignment, conditions_of, defaults_of, is_begun
from quizzes.catalogue import current_bank
from quizzes.closing import close_due_in
from quizzes.models import Assignment
from quizzes.terms_in_words import sentences
from quizzes.timing import Extra, limits

Result = TypeVar("Result")
ENTRIES_SHOWN = 10


@login_required
@never_cache
@require_safe
def assignments(request: SignedInRequest, cohort_id: int) -> HttpResponse:
    """The tests of a cohort, each with its conditions."""
    cohort = _cohort(request, cohort_id)
    found = [
        (each, sentences(each, limits(each.terms, Extra())))
        for each in cohort.assignments.select_related("cohort").order_by("created_at")
    ]
    return render(request, "results/assignments.html", {"here": "cohorts", "cohort": cohort, "assignments": found})


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def assignment_add(request: SignedInRequest, cohort_id: int) -> HttpResponse:
    """A new test; the form holds the defaults of the course's first blueprint."""
    cohort = _cohort(request, cohort_id)
    held = defaults_of(next(iter(current_bank().blueprints)))
    form = ConditionsForm(request.POST or None, held=held, assignment=Assignment(cohort=cohort), is_begun=False)
    if form.is_valid():
        added = _saved(form, lambda: add_assignment(cohort, form.conditions(), by=request.user))
        if added is not None:
            messages.success(request, f"{cohort.name} has the test {added.title}.")
            return redirect("cohort_assignments", cohort_id)
    return _form(request, "results/assignment_add.html", {"cohort": cohort, "form": form}, form)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def assignment(request: SignedInRequest, cohort_id: int, assignment_id: int) -> HttpResponse:
    """One test: its conditions to change, who has begun it, and what was changed before."""
    cohort = _cohort(request, cohort_id)
    found = _assignment(cohort, assignment_id)
    begun = is_begun(found)
    form = ConditionsForm(request.POST or None, held=conditions_of(found), assignment=found, is_begun=begun)
    if form.is_valid():
        changed = _saved(form, lambda: change_assignment(found, form.conditions(), by=request.user))
        if changed is not None:
            messages.success(request, "Saved. It holds at once." if changed else "Nothing was different.")
            return redirect("cohort_assignment", cohort_id, assignment_id)
    learners = cohort.enrolments.learners().active().select_related("user").order_by("user__name", "user__email")
    context = {
        "cohort": cohort,
        "assignment": found,
        "form": form,
        "is_begun": begun,
        "times": times([found], list(learners)),
        "entries": _entries(cohort, f"assignment {found.pk}"),
    }
    return _form(request, "results/assignment.html", context, form)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def learner_time(request: SignedInRequest, cohort_id: int, user_uuid: uuid.UUID) -> HttpResponse:
    """More time for one learner: in every test, and once in one."""
    cohort = _cohort(request, cohort_id)
    enrolment = learner_of(cohort, user_uuid)
    held = Accommodation.objects.filter(enrolment=enrolment).first() or Accommodation(enrolment=enrolment)
    always = AccommodationForm(
        request.POST if "factor" in request.POST else None,
        initial={"factor": f"{held.factor.normalize():f}", "extra_minutes": held.extra_minutes},
    )
    once = ExtensionForm(request.POST if "assignment" in request.POST else None)
    if always.is_valid():
        changed = accommodate(enrolment, by=request.user, **always.cleaned_data)
        messages.success(request, "Saved. It holds at once." if changed else "Nothing was different.")
        return redirect("cohort_time", cohort_id, user_uuid)
    if once.is_valid():
        give_more(request, cohort, enrolment, once)
        return redirect("cohort_time", cohort_id, user_uuid)
    found = list(cohort.assignments.select_related("cohort").order_by("created_at"))
    context = {
        "cohort": cohort,
        "enrolment": enrolment,
        "always": always,
        "once": [(each, once_form(each.assignment.pk, each.given, once)) for each in times(found, [enrolment])],
        "entries": _entries(cohort, f"enrolment {enrolment.pk}"),
    }
    return _form(request, "results/time.html", context, once if once.is_bound else always)


def _cohort(request: SignedInRequest, cohort_id: int) -> Cohort:
    cohort = cohort_for_instructor(request.user, cohort_id)
    close_due_in(cohort)
    return cohort


def _assignment(cohort: Cohort, assignment_id: int) -> Assignment:
    found = cohort.assignments.select_related("cohort").filter(pk=assignment_id).first()
    if found is None:
        raise Http404("no such test in this cohort")
    return found


def _saved(form: Form, verb: Callable[[], Result]) -> Result | None:
    """Return what the verb gives, or None after writing its refusal into the form."""
    try:
        return verb()
    except ValidationError as error:
        form.add_error(None, error)
        return None


def give_more(request: SignedInRequest, cohort: Cohort, enrolment: Enrolment, form: ExtensionForm) -> None:
    """Give what a valid form says, and say what came of it."""
    values = form.cleaned_data
    found = _assignment(cohort, values["assignment"])
    is_new = extend(
        found,
        enrolment,
        minutes=values["minutes"],
        attempts=values["attempts"],
        already_given=values["already_given"],
        by=request.user,
    )
    if is_new:
        messages.success(request, f"Given in {found.title}. It holds at once.")
    else:
        messages.warning(request, "Nothing was given now: more was given already since this page was opened.")


def once_form(assignment_id: int, given: int, sent: ExtensionForm) -> ExtensionForm:
    """Return the form of one test: what was sent and refused, or an empty one."""
    if sent.is_bound and sent.data.get("assignment") == str(assignment_id):
        return sent
    initial = {"assignment": assignment_id, "already_given": given, "minutes": 0, "attempts": 0}
    return ExtensionForm(initial=initial, auto_id=f"id_{assignment_id}_%s")


def _entries(cohort: Cohort, what: str) -> list[AuditEntry]:
    return list(cohort.audit_entries.filter(what=what).select_related("who")[:ENTRIES_SHOWN])


def _form(request: SignedInRequest, template: str, context: dict[str, object], form: Form) -> HttpResponse:
    refused = form.is_bound and not form.is_valid()
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return render(request, template, {"here": "cohorts"} | context, status=status)
