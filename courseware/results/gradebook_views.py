"""The gradebook, its files, and the pages on which one mark is looked at and changed."""

import io
import uuid
from collections.abc import Callable
from decimal import Decimal
from http import HTTPStatus

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import FileResponse, Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from courseware.accounts.access import cohort_for_instructor, cohort_for_staff, instructs, learner_of
from courseware.accounts.joining import join_link
from courseware.accounts.models import Cohort
from courseware.accounts.requests import SignedInRequest
from courseware.concepts.course import current
from courseware.results import csv_export, xlsx_export
from courseware.results.assigning import give_more, once_form
from courseware.results.cohorts import CohortStanding, rows_of, standing_of
from courseware.results.forms import ExtensionForm, MarkForm
from courseware.results.listing import Wanted, columns, listing, shows
from courseware.results.roll import heads, medians, roll
from courseware.results.times import times
from grader.catalogue import current_exercises
from grader.models import Submission, SubmissionMarkOverride
from grader.overrides import set_exercise_mark
from quizzes.closing import close_due_in
from quizzes.marking import shown
from quizzes.models import Assignment, Sitting, SittingMarkOverride
from quizzes.overrides import set_mark
from quizzes.reports import open_reports_of

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@login_required
@never_cache
@require_safe
def cohort(request: SignedInRequest, cohort_id: int) -> HttpResponse:
    """The gradebook: fifty learners a page, by any column, with what to look at."""
    found = cohort_for_staff(request.user, cohort_id)
    close_due_in(found)
    standing = standing_of(found)
    listed = listing(standing, Wanted.from_query(request.GET))
    may_change = instructs(request.user, found)
    context = {
        "here": "cohorts",
        "standing": standing,
        "list": listed,
        "heads": heads(columns(listed.wanted, _titles(standing))),
        "medians": medians(standing.figures),
        "shows": shows(standing),
        "roll": roll(standing, rows_of(standing, listed.people), instructs=may_change),
        "formula": current().module.grade,
        "join_link": join_link(found),
        "reports": open_reports_of(found),
        "instructs": may_change,
    }
    return render(request, "results/cohort.html", context)


@login_required
@never_cache
@require_safe
def cohort_csv(request: SignedInRequest, cohort_id: int) -> StreamingHttpResponse:
    standing = _whole(request, cohort_id)
    return StreamingHttpResponse(
        csv_export.lines(standing),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{_file_name(standing)}.csv"'},
    )


@login_required
@never_cache
@require_safe
def cohort_xlsx(request: SignedInRequest, cohort_id: int) -> FileResponse:
    standing = _whole(request, cohort_id)
    book = io.BytesIO(xlsx_export.book(csv_export.table(standing)))
    return FileResponse(book, as_attachment=True, filename=f"{_file_name(standing)}.xlsx", content_type=XLSX)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cohort_mark(request: SignedInRequest, cohort_id: int, user_uuid: uuid.UUID, assignment_id: int) -> HttpResponse:
    """One learner and one test: every attempt, the mark by hand with its reason, more time and another attempt."""
    cohort = _mine(request, cohort_id)
    enrolment = learner_of(cohort, user_uuid)
    assignment = cohort.assignments.select_related("cohort").filter(pk=assignment_id).first()
    if assignment is None:
        raise Http404("no such test in this cohort")
    sittings = list(Sitting.objects.filter(assignment=assignment, enrolment=enrolment).order_by("attempt"))
    once = ExtensionForm(request.POST if "minutes" in request.POST else None)
    if once.is_valid():
        give_more(request, cohort, enrolment, once)
        return redirect(request.path)
    ended = [each for each in sittings if each.is_closed]
    mark = MarkForm(request.POST if "mark" in request.POST else None)
    chosen = next((each for each in ended if str(each.pk) == request.POST.get("sitting")), None)
    if (
        mark.is_valid()
        and chosen is not None
        and _changed(request, mark, lambda value, reason: set_mark(chosen.pk, value, reason=reason, by=request.user))
    ):
        return redirect(request.path)
    (time,) = times([assignment], [enrolment])
    context = {
        "here": "cohorts",
        "cohort": cohort,
        "learner": enrolment.user,
        "assignment": assignment,
        "sittings": ended,
        "time": time,
        "form": mark,
        "chosen": chosen,
        "once": once_form(assignment.pk, time.given, once),
        "changes": SittingMarkOverride.objects.filter(sitting__in=sittings).select_related("by"),
    }
    return _page(request, "results/mark.html", context, mark)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cohort_exercise_mark(request: SignedInRequest, cohort_id: int, user_uuid: uuid.UUID, exercise: str) -> HttpResponse:
    """One learner and one exercise: every submission that counts, and the mark by hand with its reason."""
    cohort = _mine(request, cohort_id)
    learner = learner_of(cohort, user_uuid).user
    known = current_exercises().get(exercise)
    if known is None:
        raise Http404("no such exercise in the course")
    form = MarkForm(request.POST or None)
    if form.is_valid() and _changed(
        request,
        form,
        lambda mark, reason: set_exercise_mark(learner, exercise, mark, reason=reason, by=request.user, cohort=cohort),
    ):
        return redirect(request.path)
    graded = Submission.objects.counted().filter(user=learner, exercise=exercise).defer("source", "evidence")
    changes = SubmissionMarkOverride.objects.filter(submission__user=learner, submission__exercise=exercise)
    context = {
        "here": "cohorts",
        "cohort": cohort,
        "learner": learner,
        "exercise": known,
        "submissions": graded.order_by("-number"),
        "form": form,
        "changes": changes.select_related("by", "submission"),
    }
    return _page(request, "results/exercise_mark.html", context, form)


def _mine(request: SignedInRequest, cohort_id: int) -> Cohort:
    cohort = cohort_for_instructor(request.user, cohort_id)
    close_due_in(cohort)
    return cohort


def _whole(request: SignedInRequest, cohort_id: int) -> CohortStanding:
    cohort = cohort_for_staff(request.user, cohort_id)
    close_due_in(cohort)
    return standing_of(cohort)


def _file_name(standing: CohortStanding) -> str:
    return f"{slugify(standing.cohort.name) or 'cohort'}-results"


def _titles(standing: CohortStanding) -> dict[str, tuple[str, str]]:
    return (
        {"name": ("Learner", ""), "grade": ("Module", "of 100")}
        | {f"test-{each.pk}": (each.title, _rule(each)) for each in standing.assignments}
        | {each.slug: (each.title, f"best of {shown(each.marks)}") for each in standing.exercises}
    )


def _rule(assignment: Assignment) -> str:
    if assignment.is_practice:
        return "practice, counts nothing"
    return "mark" if assignment.attempts == 1 else f"{assignment.counts} mark"


def _changed(request: SignedInRequest, form: MarkForm, verb: Callable[[Decimal, str], bool]) -> bool:
    """Tell whether the verb took what the form says; its refusal is written into the form."""
    try:
        is_new = verb(form.cleaned_data["mark"], form.cleaned_data["reason"])
    except ValidationError as error:
        form.add_error(None, error)
        return False
    messages.success(request, "Changed. The learner sees the mark and the reason." if is_new else "It was so already.")
    return True


def _page(request: SignedInRequest, template: str, context: dict[str, object], form: forms.Form) -> HttpResponse:
    refused = form.is_bound and not form.is_valid()
    return render(request, template, context, status=HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK)
