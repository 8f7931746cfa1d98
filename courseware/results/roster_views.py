"""Who is in a cohort: the list, a roster's dry run and its import, and what a learner sees."""

import uuid
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import F, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from courseware.accounts.access import cohort_for_instructor, cohort_for_staff, instructs, learner_of
from courseware.accounts.models import Cohort, Enrolment
from courseware.accounts.requests import SignedInRequest
from courseware.accounts.rosters import Outcome, import_roster, plan, set_withdrawn
from courseware.results.people import PAGE
from courseware.results.rosters.reading import entries_of
from courseware.results.rosters.workbook import read_roster
from courseware.results.sheets import Unreadable
from courseware.results.uploads import UploadForm, carried
from courseware.study.overview import overview_of
from quizzes.models import Sitting


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cohort_roster(request: SignedInRequest, cohort_id: int) -> HttpResponse:
    """The people of a cohort; a file sent here is first looked at, and imported when that is confirmed."""
    get_cohort = cohort_for_instructor if request.method == "POST" else cohort_for_staff
    cohort = get_cohort(request.user, cohort_id)
    form = UploadForm(request.POST or None, request.FILES or None)
    find = request.GET.get("find", "").strip()
    context = {
        "here": "cohorts",
        "cohort": cohort,
        "form": form,
        "people": Paginator(_people(cohort, find), PAGE).get_page(request.GET.get("page")),
        "find": find,
        "instructs": instructs(request.user, cohort),
    }
    if not form.is_valid():
        return _answer(request, context, refused=form.is_bound)
    withdraw_others = "withdraw" in request.POST
    try:
        sheet = read_roster(form.cleaned_data["bytes"])
        entries = entries_of(sheet)
    except Unreadable as error:
        form.add_error(None, str(error))
        return _answer(request, context, refused=True)
    if "import" in request.POST:
        done = import_roster(cohort, entries, withdraw_others=withdraw_others, by=request.user)
        new = sum(each.outcome in (Outcome.NEW, Outcome.JOINS, Outcome.BACK) for each in done)
        messages.success(request, f"Imported. {new} {'learner has' if new == 1 else 'learners have'} joined.")
        return redirect("cohort_roster", cohort_id)
    planned = plan(cohort, entries, withdraw_others=withdraw_others)
    counts = {outcome: sum(each.outcome is outcome for each in planned) for outcome in Outcome}
    context |= {
        "planned": sorted(planned, key=lambda each: each.outcome is not Outcome.REFUSED),  # to look at first
        "counts": [(outcome.value, count) for outcome, count in counts.items() if count],
        "note": sheet.note,
        "content": carried(form.cleaned_data["bytes"]),
        "withdraw_others": withdraw_others,
    }
    return _answer(request, context, refused=False)


@login_required
@require_POST
def cohort_withdraw(request: SignedInRequest, cohort_id: int, user_uuid: uuid.UUID) -> HttpResponse:
    """Withdraw a learner, or take one back; the work stays either way."""
    cohort = cohort_for_instructor(request.user, cohort_id)
    enrolment = learner_of(cohort, user_uuid)
    is_withdrawn = request.POST.get("action") != "back"
    if set_withdrawn(enrolment, by=request.user, is_withdrawn=is_withdrawn):
        words = "is withdrawn, and the work stays" if is_withdrawn else "is back"
        messages.success(request, f"{enrolment.user.name} {words}.")
    return redirect("cohort_roster", cohort_id)


@login_required
@never_cache
@require_safe
def cohort_as_learner(request: SignedInRequest, cohort_id: int, user_uuid: uuid.UUID) -> HttpResponse:
    """What a learner sees: where they stand, and their reviews as far as these are shown to them."""
    cohort = cohort_for_staff(request.user, cohort_id)
    enrolment = learner_of(cohort, user_uuid)
    context = {
        "here": "cohorts",
        "cohort": cohort,
        "learner": enrolment.user,
        "overview": overview_of(enrolment.user),
        "sittings": Sitting.objects.closed().filter(enrolment=enrolment).select_related("assignment"),
    }
    return render(request, "results/as_learner.html", context)


def _people(cohort: Cohort, find: str) -> QuerySet[Enrolment]:
    """Return the people with these letters in their name or address, staff first, those who left last of their kind."""
    has_them = Q(user__name__icontains=find) | Q(user__email__icontains=find)
    found = cohort.enrolments.select_related("user").filter(has_them)
    return found.order_by("role", F("withdrawn_at").asc(nulls_first=True), "user__name", "pk")


def _answer(request: SignedInRequest, context: dict[str, object], *, refused: bool) -> HttpResponse:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return render(request, "results/roster.html", context, status=status)
